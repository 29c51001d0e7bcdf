import { expect, test } from 'vitest';
import { printForeignText } from '../../src/terminal/print-document.ts';
import { printableLine, printableText } from '../../src/terminal/printable.ts';
import { createTerminal } from '../../src/terminal/terminal.ts';

test('what could move the cursor, hide or turn text is shown by its code', () => {
  expect(printableLine('a\u001b[2Jb\r\nc')).toBe('a\\u{1b}[2Jb\\u{d}\\u{a}c');
  expect(printableLine('x\u202e\u200by\u{e0041}')).toBe('x\\u{202e}\\u{200b}y\\u{e0041}');
  expect(printableText('第一行\n\t第二行\u0007')).toBe('第一行\n\t第二行\\u{7}');
  expect(printableText('👨‍👩‍👧 ❤️')).toBe('👨‍👩‍👧 ❤️');
});

test('foreign text is made harmless for a screen and left alone for a pipe', () => {
  const written: string[] = [];
  const stream = { write: (text: string | Uint8Array) => written.push(String(text)) };
  printForeignText(createTerminal({ ...stream, isTTY: true }, {}), 'a\u001bb');
  printForeignText(createTerminal(stream, {}), 'a\u001bb\n');
  expect(written).toEqual(['a\\u{1b}b\n', 'a\u001bb\n']);
});

test.each([
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, {}, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('a stream with isTTY %s and %j has colours: %s', (isTTY, env, colored) => {
  expect(createTerminal({ isTTY, write: () => true }, env).colors.isColorSupported).toBe(colored);
});
