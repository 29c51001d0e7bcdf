import { readFile } from 'node:fs/promises';
import {
  asToolCallError,
  ERROR_CODES,
  firstInexactNumber,
  isErrorCode,
  parseKeepingNumbers,
  ToolCallError,
} from '@yuanbot/contract';
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

describe('numbers', () => {
  it('law: whole numbers of any length come out as they went in', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt()), (numbers) => {
        const text = `[${numbers.join(',')}]`;
        expect(JSON.stringify(parseKeepingNumbers(text))).toBe(text);
      }),
    );
  });

  it('law: the first that a double cannot hold is found', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt()), (numbers) => {
        const first = numbers.find((number) => !Number.isSafeInteger(Number(number)));
        expect(firstInexactNumber(`{"a":[${numbers.join(',')}]}`)).toBe(first?.toString());
      }),
    );
  });

  it('in strings are no numbers', () => {
    expect(firstInexactNumber('{"id":"12345678901234567890"}')).toBeUndefined();
  });
});
