import fc from 'fast-check';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { countTokens } from '../../src/registry/token-count.ts';

test('counts like the tokenizer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      expect(countTokens(text)).toBe(reference(text, { disallowedSpecial: new Set() }));
    }),
  );
});

test('takes control words for the text they are', () => {
  expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
});

test.each(['a', '缘', ' ', '!', '\n', '🥺', '1', 'a\u0301'])(
  'a long run of %j is counted in no time, and about right',
  (letter) => {
    const text = letter.repeat(60_000);
    const perRun = reference(letter.repeat(256), { disallowedSpecial: new Set() });
    expect(countTokens(text)).toBeGreaterThan((60_000 / 256) * perRun * 0.5);
  },
  20_000,
);
