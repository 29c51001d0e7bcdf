import { expect, test } from 'vitest';
import { ERRNO } from '../../../src/worker/wasi/abi.ts';
import { createTestInstance } from './instance.ts';

test('random bytes fill exactly what was asked for, and are capped', () => {
  const { wasi, memory } = createTestInstance();
  expect(wasi.random_get(1, 2)).toBe(ERRNO.success);
  expect([...new Uint8Array(memory.buffer, 0, 4)]).toEqual([0, 7, 7, 0]);
  expect(wasi.random_get(0, 1_048_577)).toBe(ERRNO.inval);
  expect(wasi.random_get(0, 1_048_576)).toBe(ERRNO.fault);
});
