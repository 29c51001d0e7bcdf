import { expect, test } from 'vitest';
import { createTerminal } from '../../src/terminal/terminal.ts';

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
