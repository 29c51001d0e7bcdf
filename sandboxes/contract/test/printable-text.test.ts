import { printableJson, printableLine, printableText } from '@yuanbot/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Any text, with what could do harm, and what stands beside it, more often than chance would have it. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(
        '\u001b[2J',
        '\u009b31m',
        '\u202e',
        '\u2066',
        '\u200b',
        '\u200d',
        '\ufe0f',
        '\u{e0041}',
        '\u3164',
        '\u00ad',
      ),
      fc.constantFrom('❤', '👩', '🏽', '1', '天', '\n', '\r', '\t', '\ud83d'),
    ),
  )
  .map((parts) => parts.join(''));

/** Cc, Cf and the rest of what Unicode says is no graphic character, and what it says is invisible. */
const HARMFUL = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** What may stay: joiners between pictographs, selectors after them. */
function withoutEmojiParts(shown: string): string {
  return shown.replace(/(?<=\p{Emoji}\ufe0f?)\u200d(?=\p{Emoji})|(?<=\p{Emoji})[\ufe0e\ufe0f]/gu, '+');
}

describe('law: nothing harmful is left', () => {
  it('in a text, but for line breaks and tabs', () => {
    fc.assert(
      fc.property(text, (foreign) => {
        expect(withoutEmojiParts(printableText(foreign)).replace(/[\n\t]/g, '')).not.toMatch(HARMFUL);
      }),
    );
  });

  it('in a line', () => {
    fc.assert(
      fc.property(text, (foreign) => {
        expect(withoutEmojiParts(printableLine(foreign))).not.toMatch(HARMFUL);
      }),
    );
  });

  it('in JSON, which still says the same', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.double(), fc.boolean())), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const shown = printableJson(json);
        expect(withoutEmojiParts(shown).replace(/[\n\t]/g, '')).not.toMatch(HARMFUL);
        expect(JSON.parse(shown)).toEqual(JSON.parse(json));
      }),
    );
  });
});

it('law: what is printable stays as it is, and so does what was made printable', () => {
  fc.assert(
    fc.property(text, (foreign) => {
      for (const printable of [printableText, printableLine]) expect(printable(printable(foreign))).toBe(printable(foreign));
      if (!HARMFUL.test(foreign)) expect(printableLine(foreign)).toBe(foreign);
    }),
  );
});

it.each([
  ['控制符 a\u001b[2Jb\r\nc\t', '控制符 a\\u{1b}[2Jb\\u{d}\nc\t'],
  ['x\u202e\u200by\u{e0041}\u2028', 'x\\u{202e}\\u{200b}y\\u{e0041}\\u{2028}'],
  ['C1 \u009b2J, filler \u3164, selector a\ufe0f\u{e0100}', 'C1 \\u{9b}2J, filler \\u{3164}, selector a\\u{fe0f}\\u{e0100}'],
  ['lone \ud83d', 'lone \\u{d83d}'],
  ['joined a\u200db', 'joined a\\u{200d}b'],
  ['👨‍👩‍👧 ❤️ 🏃🏽‍♂️ 1️⃣ 🏳️‍🌈', '👨‍👩‍👧 ❤️ 🏃🏽‍♂️ 1️⃣ 🏳️‍🌈'],
  ['Zażółć, 北京、العربية', 'Zażółć, 北京、العربية'],
])('%j is shown as %j', (foreign, shown) => {
  expect(printableText(foreign)).toBe(shown);
});

it('a line shows its breaks', () => {
  expect(printableLine('a\nb\tc')).toBe('a\\nb\\tc');
});
