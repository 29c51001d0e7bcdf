import { expect, test } from 'vitest';
import { ERRNO } from '../../../src/worker/wasi/abi.ts';
import { createTestInstance } from './instance.ts';

test('clocks tell whole milliseconds, in nanoseconds, and say so', () => {
  const { wasi, view } = createTestInstance();
  expect([wasi.clock_time_get(0, 1n, 0), view.getBigUint64(0, true)]).toEqual([0, 1_700_000_000_123_000_000n]);
  expect([wasi.clock_time_get(1, 1n, 0), view.getBigUint64(0, true)]).toEqual([0, 1_000_000_000n]);
  expect([wasi.clock_res_get(0, 0), view.getBigUint64(0, true)]).toEqual([0, 1_000_000n]);
});

test.each([2, 3, 4, -1])('clock %i is not there', (id) => {
  const { wasi } = createTestInstance();
  expect([wasi.clock_time_get(id, 1n, 0), wasi.clock_res_get(id, 0)]).toEqual([ERRNO.inval, ERRNO.inval]);
});
