import { readFile } from 'node:fs/promises';
import { asToolCallError, ERROR_CODES, isErrorCode, printableText, ToolCallError } from '@yuanbot/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('error codes', () => {
  it('are exactly those that README.md explains', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const documented = [...readme.matchAll(/^\| `(ERR_[A-Z_]+)` \|/gm)].map(([, code]) => code);
    expect(documented).toEqual([...ERROR_CODES]);
  });

  it('are told apart from other texts', () => {
    expect(isErrorCode('ERR_TOOL_FAILED')).toBe(true);
    expect(isErrorCode('ERR_OTHER')).toBe(false);
    expect(isErrorCode('constructor')).toBe(false);
  });
});

describe('asToolCallError', () => {
  it('finds a coded error behind others', () => {
    const coded = new ToolCallError('ERR_SANDBOX_START', 'no image');
    expect(asToolCallError(new Error('outer', { cause: new Error('middle', { cause: coded }) }))).toBe(coded);
  });

  it('hides what was not meant for a reader, and keeps it for the log', () => {
    const cause = new Error('password is hunter2');
    const error = asToolCallError(cause);
    expect(error).toMatchObject({ code: 'ERR_INTERNAL', cause });
    expect(error.message).not.toContain('hunter2');
  });

  it('survives a circle of causes', () => {
    const one = new Error('one');
    one.cause = new Error('two', { cause: one });
    expect(asToolCallError(one).code).toBe('ERR_INTERNAL');
  });
});

describe('ToolCallError', () => {
  it('law: its message is printable, whatever it quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (said) => {
        expect(new ToolCallError('ERR_TOOL_FAILED', said).message).toBe(printableText(said));
      }),
    );
  });
});
