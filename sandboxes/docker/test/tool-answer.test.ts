import { describe, expect, it } from 'vitest';
import { lineOf } from '../src/tool-answer.ts';

const RESULT = '{"type":"result","content":1}';

function answer(stdout: string | Uint8Array, more: { exitCode?: number; oomKilled?: boolean; stderr?: string } = {}) {
  return { stdout: Buffer.from(stdout), stderr: '', exitCode: 0, oomKilled: false, runMs: 1, ...more };
}

describe('lineOf', () => {
  it.each([
    ['a result', answer(`${RESULT}\n`)],
    ['a result without newline', answer(RESULT)],
    ['a result and exit code 1', answer(RESULT, { exitCode: 1 })],
    ['a result, though a child was killed for memory', answer(RESULT, { oomKilled: true })],
  ])('takes %s', (_what, given) => {
    expect(lineOf(given)).toBe(RESULT);
  });

  it('takes an error line and a malformed step as lines: the conversation judges them', () => {
    const error = '{"type":"error","message":"no such city"}';
    const step = '{"type":"http"}';
    expect(lineOf(answer(error, { exitCode: 2 }))).toBe(error);
    expect(lineOf(answer(step, { exitCode: 2 }))).toBe(step);
  });

  it.each([
    ['nothing', answer(''), 'ERR_OUTPUT_INVALID', /without printing/],
    ['two lines', answer(`${RESULT}\n${RESULT}\n`), 'ERR_OUTPUT_INVALID', /more than one line/],
    ['invalid UTF-8', answer(Uint8Array.of(0xff, 0xfe)), 'ERR_OUTPUT_INVALID', /not UTF-8/],
    ['nothing and exit code 3', answer('', { exitCode: 3, stderr: 'boom\n' }), 'ERR_TOOL_FAILED', /exit code 3: boom$/],
    ['nonsense and exit code 3', answer('{}', { exitCode: 3 }), 'ERR_TOOL_FAILED', /exit code 3 and said nothing/],
    ['nothing, out of memory', answer('', { exitCode: 137, oomKilled: true }), 'ERR_SANDBOX_MEMORY', /memory/],
  ])('refuses %s', (_what, given, code, message) => {
    expect(() => lineOf(given)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });

  it('quotes at most 500 characters of stderr, escaped', () => {
    const stderr = `${'x'.repeat(5_000)}\u001b[2J\nlast`;
    const thrown = (() => {
      try {
        return lineOf(answer('', { exitCode: 1, stderr }));
      } catch (error) {
        return String(error);
      }
    })();
    expect(thrown).toMatch(/…x+\\u\{1b\}\[2J\\nlast$/);
    expect(thrown.length).toBeLessThan(600);
  });
});
