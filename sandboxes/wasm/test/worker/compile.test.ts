import { ToolCallError } from '@yuanbot/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildC } from '../../../../test/fixtures/wasm/build.ts';
import { compileProgram } from '../../src/worker/compile.ts';
import { failure, program } from '../calls.ts';
import { assemble } from '../wat.ts';

const echo = await buildC('echo.c');

function refusal(...args: Parameters<typeof program>): unknown {
  try {
    compileProgram(program(...args));
  } catch (error) {
    return error;
  }
  return 'it compiled';
}

test('a damaged module compiles or is refused in words, and nothing else happens', () => {
  const change = fc.tuple(fc.nat(echo.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const bytes = Uint8Array.from(echo);
      for (const [at, value] of changes) bytes[at] = value;
      const result = refusal(bytes);
      if (result === 'it compiled') return;
      expect(result).toBeInstanceOf(ToolCallError);
      expect(result).toMatchObject(failure('ERR_SANDBOX_START', /^The tool's wasm file cannot be run: [^\n]+$/));
    }),
  );
});

test('what is compiled keeps what calls need, and imports what it asks for only', () => {
  const compiled = compileProgram(program(echo, { env: ['A'], resources: new Map([['x', new Uint8Array(1)]]) }));
  expect(compiled.memory).toEqual({ min: 2, max: undefined });
  expect(compiled.wasiNames).toContain('fd_read');
  expect(compiled.wasiNames).not.toContain('path_open');
  expect(compiled.root?.children.size).toBe(1);
});

test.each([
  ['a file above the cap', new Uint8Array(16 * 1024 * 1024 + 1), {}, /16777217 bytes; at most 16777216/],
  ['an argument with NUL', echo, { command: ['a\0b'] }, /contains NUL/],
  ['an environment name that is none', echo, { env: ['A=B'] }, /"A=B" is not the name/],
  [
    'an import whose name hides something',
    assemble('(module (import "e\\e2\\80\\aev" "x" (func)) (memory 1))'),
    {},
    /imports "e\\u\{202e\}v"\."x"/,
  ],
])('%s is refused', (_name, bytes, more, message) => {
  expect(refusal(bytes, more)).toMatchObject(failure('ERR_SANDBOX_START', message));
});
