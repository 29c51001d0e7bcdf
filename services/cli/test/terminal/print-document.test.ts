import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printForeignText, printJson } from '../../src/terminal/print-document.ts';
import { createTerminal } from '../../src/terminal/terminal.ts';

function recorded(isTTY: boolean) {
  const written: string[] = [];
  const terminal = createTerminal({ isTTY, write: (text: string | Uint8Array) => written.push(String(text)) }, {});
  return { terminal, written };
}

test('foreign text is made harmless for a screen and left alone for a pipe', () => {
  for (const [isTTY, shown] of [
    [true, 'a\\u{1b}b\n'],
    [false, 'a\u001bb\n'],
  ] as const) {
    const { terminal, written } = recorded(isTTY);
    printForeignText(terminal, 'a\u001bb');
    expect(written).toEqual([shown]);
  }
});

test('law: a JSON document says what it is to say, and nothing to a screen', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const { terminal, written } = recorded(true);
      printJson(terminal, value);
      expect(JSON.parse(written.join(''))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(written.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u);
    }),
  );
});
