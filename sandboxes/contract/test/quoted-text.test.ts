import { printableText, quoted, toolMessage } from '@yuanbot/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('quoted', () => {
  it('law: is printable and not longer than asked, and says so when something is missing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
        const shown = quoted(text, maxLength);
        expect(printableText(shown)).toBe(shown);
        const whole = printableText(text);
        if (whole.length <= maxLength && text.length <= maxLength) expect(shown).toBe(whole);
        else expect(shown.length).toBeLessThanOrEqual(`… (${text.length} characters)`.length + maxLength);
        expect(shown.endsWith(`… (${text.length} characters)`)).toBe(shown !== whole);
      }),
    );
  });

  it('cuts no character in two', () => {
    expect(quoted('天🌸🌸', 4)).toBe('天🌸… (5 characters)');
    expect(quoted('天🌸', 3)).toBe('天🌸');
  });
});

describe('toolMessage', () => {
  it('is what the tool said, printable', () => {
    expect(toolMessage('没有这个城市\n\u001b[2Jno \u202esuch')).toBe('没有这个城市\n\\u{1b}[2Jno \\u{202e}such');
  });

  it.each([undefined, null, '', 7, { message: 'x' }])('is a sentence when the tool said none: %j', (said) => {
    expect(toolMessage(said)).toBe('The tool failed without a message.');
  });

  it('is not long', () => {
    expect(toolMessage('\u001b'.repeat(100_000)).length).toBeLessThan(2_100);
  });
});
