import { expect, test } from 'vitest';
import { ERRNO } from '../../../src/worker/wasi/abi.ts';
import { createTestInstance, PAGE } from './instance.ts';

test('arguments and environment are written as pointers and NUL-terminated text', () => {
  const { wasi, view, text } = createTestInstance();
  expect([wasi.args_sizes_get(0, 4), view.getUint32(0, true), view.getUint32(4, true)]).toEqual([0, 2, 7]);
  expect([wasi.args_get(16, 100), view.getUint32(16, true), view.getUint32(20, true)]).toEqual([0, 100, 105]);
  expect(text(100, 7)).toBe('tool\0x\0');
  expect([wasi.environ_sizes_get(0, 4), view.getUint32(0, true), view.getUint32(4, true)]).toEqual([0, 1, 4]);
  expect([wasi.environ_get(16, 200), text(200, 4)]).toEqual([0, 'A=b\0']);
});

test('text that does not fit at the end of memory is a fault', () => {
  const { wasi } = createTestInstance();
  expect(wasi.args_get(0, PAGE - 6)).toBe(ERRNO.fault);
  expect(wasi.args_get(PAGE - 4, 0)).toBe(ERRNO.fault);
});
