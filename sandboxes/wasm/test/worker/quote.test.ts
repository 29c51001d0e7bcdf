import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteBytes } from '../../src/worker/quote.ts';

test('quoted bytes are one line without a character that hides or moves anything', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
      ),
      (bytes) => {
        expect(quoteBytes(bytes)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u);
      },
    ),
  );
});

test('what is readable stays', () => {
  expect(quoteBytes(new TextEncoder().encode('错误: 第 1 行\nnext\u202eline\u{e0041}\n'))).toBe(
    '错误: 第 1 行\\nnext\\u{202e}line\\u{e0041}',
  );
});
