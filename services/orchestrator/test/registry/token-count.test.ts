import fc from 'fast-check';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { expect, test } from 'vitest';
import { countableParts, countTokens } from '../../src/registry/token-count.ts';

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

/** The longest that the tokenizer would take together; its time grows with the square of that. */
function longestPiece(text: string): number {
  let longest = 0;
  for (const part of countableParts(text)) {
    for (const [piece] of part.matchAll(O200K_TOKEN_SPLIT_REGEX)) longest = Math.max(longest, piece.length);
  }
  return longest;
}

/** Two runs of 255, and what may be around them. */
const BOUND = 520;

test('whatever the text, the tokenizer never gets a long piece of it, and gets all of it', () => {
  const unit = fc.constantFrom(
    ...[
      'a',
      'A',
      '缘',
      'ˆ',
      'ǅ',
      '\u0301',
      '1',
      ' ',
      '\t',
      '\n',
      '\r',
      '\u00a0',
      '/',
      '!',
      "'",
      "'ll",
      '🥺',
      '\ud800',
      '\u200d',
      '_',
    ],
  );
  const run = fc
    .tuple(fc.array(unit, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 700 }))
    .map(([units, count]) => units.join('').repeat(count));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
      const text = runs.join('');
      expect([...countableParts(text)].join('')).toBe(text);
      expect(longestPiece(text)).toBeLessThanOrEqual(BOUND);
    }),
    { numRuns: 300 },
  );
});

test.each([
  '/\n',
  '!/\r\n',
  ' \n',
  "a'll",
  'a\u0301',
  '-\u0301',
  'A中',
  '中A',
  "'s",
  '\ud800',
  '🥺\u200d',
  ' !',
  '\t ',
  '/',
  '1a',
  'a ',
])(
  '128 KiB of %j come in short pieces',
  (unit) => {
    const text = unit.repeat(131_072 / unit.length);
    expect(longestPiece(text)).toBeLessThanOrEqual(BOUND);
    expect(countTokens(text)).toBeGreaterThan(100);
  },
  20_000,
);

test('a long run changes nothing for the text around it', () => {
  const words = 'Be kind, and say little. '.repeat(40);
  const run = '-'.repeat(300);
  const exact = reference(`${words}\n${run}\n${words}`);
  expect(Math.abs(countTokens(`${words}\n${run}\n${words}`) - exact)).toBeLessThanOrEqual(4);
});
