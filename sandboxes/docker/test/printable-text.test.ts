import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printableHead, printableTail } from '../src/printable-text.ts';

describe.each([
  ['printableHead', printableHead],
  ['printableTail', printableTail],
])('%s', (_name, printable) => {
  it('is at most as long as asked, and holds no control, bidi or zero-width character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 60 }), (text, max) => {
        const shown = printable(text, max);
        expect(shown.length).toBeLessThanOrEqual(max);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it('leaves plain text of any language as it is', () => {
    expect(printable('读不到 /data: Zażółć', 100)).toBe('读不到 /data: Zażółć');
  });

  it('writes out what could fake a line or hide', () => {
    expect(printable('a\nb\r\u202ec\u200bd', 100)).toBe('a\\nb\\u{d}\\u{202e}c\\u{200b}d');
  });
});

it('printableHead keeps the start, printableTail the end', () => {
  expect(printableHead('abcdef', 4)).toBe('abc…');
  expect(printableTail('abcdef', 4)).toBe('…def');
});
