import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInstructions } from '../src/dockerfile-lines.ts';

function linesOf(dockerfile: string): string[] {
  return readInstructions(dockerfile).map(({ word, rest }) => `${word} ${rest}`);
}

describe('readInstructions', () => {
  it.each<[string, string, string[]]>([
    ['one a line', 'from a\n\tRun  b ', ['FROM a', 'RUN b']],
    ['CRLF', 'FROM a \\\r\n AS b\r\n', ['FROM a  AS b']],
    ['a continuation, with blanks behind the backslash', 'RUN a\\ \t\n b', ['RUN a b']],
    [
      'comments and blank lines in a continuation',
      'RUN a \\\n  # ADD x y\n\n \u{a0}\n\u{3000}# too\n b\nUSER c',
      ['RUN a  b', 'USER c'],
    ],
    ['a comment that seems to go on', '# a \\\nRUN b', ['RUN b']],
    ['cut in the word', 'A\\\nDD x y', ['ADD x y']],
    ['a word that is an instruction, in one that goes on', 'RUN apk \\\nADD x', ['RUN apk ADD x']],
    ['a continuation that the file ends in', 'RUN a \\\n', ['RUN a']],
    ['blanks of every kind in the text', 'LABEL 名="缘\u{3000}Bot\u{a0}"', ['LABEL 名="缘\u{3000}Bot\u{a0}"']],
    ['the escape that is usual', '# escape=\\\nRUN a', ['RUN a']],
  ])('reads %s', (_what, dockerfile, lines) => {
    expect(linesOf(dockerfile)).toEqual(lines);
  });

  it.each([
    ['a no-break space behind the backslash', 'RUN a \\\u{a0}\nADD x y'],
    ['a vertical tab behind the backslash', 'RUN a \\\v\nADD x y'],
    ['a form feed behind the backslash', 'RUN a \\\f\nADD x y'],
    ['an ideographic space behind the backslash', 'RUN a \\\u{3000}\nADD x y'],
    ['a second carriage return behind the backslash', 'RUN a \\\r\r\nADD x y'],
    ['a next-line character behind the backslash', 'RUN a \\\u{85}\nADD x y'],
    ['a doubled backslash', 'RUN a \\\\\nADD x y'],
    ['a backslash, blanks and a backslash', 'RUN a \\ \\\n\nADD x y'],
    ['another escape', '# escape=`\nRUN a \\\nADD x y'],
    ['another escape, written apart', '#\tEscape = `\nRUN a'],
    ['a vertical tab for a blank', 'ADD\vx y'],
    ['a carriage return in a line', 'RUN a\rADD x y'],
    ['a null', 'RUN a\0'],
    ['an instruction behind a no-break space in the word', 'RUN\u{a0}x'],
    ['a word that is none', 'FLY to the moon'],
    ['a word whose small letters are one', 'WOR\u{212a}DIR /'],
    ['a here-document', 'RUN <<E\nadd\nE'],
    ['very many instructions', 'RUN a\n'.repeat(129)],
    ['a very long file', `RUN ${'a'.repeat(300_000)}`],
  ])('refuses %s', (_what, dockerfile) => {
    expect(() => readInstructions(dockerfile)).toThrow(expect.objectContaining({ code: 'ERR_SANDBOX_START' }));
  });

  const anyFile = fc.array(
    fc.constantFrom(
      'FROM a',
      'ADD',
      'RUN',
      'x',
      ' ',
      '\t',
      '\n',
      '\r\n',
      '\\',
      '\\\n',
      '#',
      '\u{a0}',
      '\v',
      '\u{feff}',
      '\u{85}',
      '`',
      '# escape=`',
    ),
    { maxLength: 24 },
  );

  it('what it read, written one a line, is read alike by it and by every reading of the builder', () => {
    fc.assert(
      fc.property(anyFile, (parts) => {
        let lines: string[];
        try {
          lines = linesOf(parts.join(''));
        } catch (error) {
          expect(error).toMatchObject({ code: 'ERR_SANDBOX_START' });
          return;
        }
        // By no reading is any of them two lines, or a part of the next.
        for (const line of lines) expect(line).not.toMatch(/[\n\r\v\f\u0085]|\\\p{White_Space}*$/u);
        expect(linesOf(lines.join('\n'))).toEqual(lines);
      }),
      { numRuns: 2_000 },
    );
  });
});
