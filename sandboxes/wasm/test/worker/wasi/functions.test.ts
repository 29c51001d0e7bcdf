import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERRNO } from '../../../src/worker/wasi/abi.ts';
import { InstanceEnded } from '../../../src/worker/wasi/instance-end.ts';
import { WASI_SIGNATURES } from '../../../src/worker/wasi/signatures.ts';
import { createTestInstance, PAGE, WASI_NAMES } from './instance.ts';

/** Pointers, lengths, descriptors and flags as a hostile module would choose them. */
const i32 = fc.oneof(
  fc.integer({ min: -4, max: 70 }),
  fc.integer({ min: PAGE - 70, max: PAGE + 4 }),
  fc.constantFrom(-1, 2 ** 31 - 1, -(2 ** 31), 1_024, 1_025),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
);
const i64 = fc.oneof(fc.bigInt({ min: -5n, max: 100n }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));

const calls = fc.constantFrom(...WASI_NAMES).chain((name) => {
  const args = WASI_SIGNATURES[name].params.map((type): fc.Arbitrary<number | bigint> => (type === 'i64' ? i64 : i32));
  return fc.tuple(fc.constant(name), fc.tuple(...args));
});

describe('every function', () => {
  test('has a null prototype above it', () => {
    expect(Object.getPrototypeOf(createTestInstance().wasi)).toBeNull();
    expect(WASI_NAMES).toHaveLength(46);
  });

  test('answers with an errno or ends the instance, whatever the arguments', () => {
    const errnos = new Set<unknown>(Object.values(ERRNO));
    fc.assert(
      fc.property(fc.array(calls, { minLength: 1, maxLength: 12 }), fc.uint8Array({ maxLength: 128 }), (sequence, seed) => {
        const { wasi, memory, end } = createTestInstance({ 'a/b': 'content', c: '' });
        new Uint8Array(memory.buffer).set(seed);
        for (const [name, args] of sequence) {
          try {
            expect(errnos).toContain((wasi[name] as (...values: (number | bigint)[]) => number)(...args));
          } catch (error) {
            expect(error).toBeInstanceOf(InstanceEnded);
            expect(end.forced).toBeDefined();
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('throws again once the instance has been ended', () => {
    const { wasi } = createTestInstance();
    expect(() => wasi.proc_exit(0)).toThrow(InstanceEnded);
    expect(() => wasi.sched_yield()).toThrow(InstanceEnded);
    expect(() => wasi.fd_close(99)).toThrow(InstanceEnded);
  });

  test('sees memory that has grown meanwhile', () => {
    const { wasi, memory } = createTestInstance();
    expect(wasi.random_get(PAGE, 4)).toBe(ERRNO.fault);
    memory.grow(1);
    expect(wasi.random_get(PAGE, 4)).toBe(ERRNO.success);
    expect([...new Uint8Array(memory.buffer, PAGE, 5)]).toEqual([7, 7, 7, 7, 0]);
  });
});
