import { describe, expect, test } from 'vitest';
import { ERRNO } from '../../../src/worker/wasi/abi.ts';
import { createTestInstance, type TestInstance } from './instance.ts';

const OUT = 8_192;
const COUNT = 32_000;

interface Subscription {
  readonly userdata: bigint;
  readonly clock?: { readonly id?: number; readonly timeoutNs: bigint; readonly absolute?: boolean };
  readonly fd?: number;
  readonly type?: number;
}

function poll({ wasi, view }: TestInstance, subscriptions: readonly Subscription[]): unknown {
  for (const [index, { userdata, clock, fd, type }] of subscriptions.entries()) {
    const at = index * 48;
    view.setBigUint64(at, userdata, true);
    view.setUint8(at + 8, type ?? (clock === undefined ? 1 : 0));
    view.setUint32(at + 16, clock?.id ?? fd ?? 1, true);
    view.setBigUint64(at + 24, clock?.timeoutNs ?? 0n, true);
    view.setUint16(at + 40, clock?.absolute === true ? 1 : 0, true);
  }
  const errno = wasi.poll_oneoff(0, OUT, subscriptions.length, COUNT);
  if (errno !== 0) return errno;
  return Array.from({ length: view.getUint32(COUNT, true) }, (_, index) => {
    const at = OUT + index * 32;
    return {
      userdata: view.getBigUint64(at, true),
      errno: view.getUint16(at + 8, true),
      type: view.getUint8(at + 10),
      available: view.getBigUint64(at + 16, true),
    };
  });
}

const event = (userdata: bigint, more: object = {}) => ({ userdata, errno: 0, type: 0, available: 0n, ...more });

describe('poll_oneoff', () => {
  test('sleeps until the first timer, and reports that one', () => {
    const instance = createTestInstance();
    const events = poll(instance, [
      { userdata: 1n, clock: { id: 1, timeoutNs: 9_000_000n } },
      { userdata: 2n, clock: { id: 1, timeoutNs: 2_000_001n } },
      { userdata: 3n, clock: { id: 1, timeoutNs: 1_002_000_001n, absolute: true } },
    ]);
    expect(events).toEqual([event(2n), event(3n)]);
    expect(instance.slept).toEqual([3]);
  });

  test('does not sleep for a time that has passed, or when a descriptor is ready', () => {
    const instance = createTestInstance();
    expect(poll(instance, [{ userdata: 1n, clock: { id: 1, timeoutNs: 5n, absolute: true } }])).toEqual([event(1n)]);
    const both = [
      { userdata: 1n, clock: { id: 1, timeoutNs: 5_000_000n } },
      { userdata: 2n, fd: 0 },
    ];
    expect(poll(instance, both)).toEqual([event(2n, { type: 1, available: 5n })]);
    expect(instance.slept).toEqual([]);
  });

  test('never sleeps longer than a day', () => {
    const instance = createTestInstance();
    poll(instance, [{ userdata: 1n, clock: { id: 1, timeoutNs: 2n ** 64n - 1n } }]);
    expect(instance.slept).toEqual([86_400_000]);
  });

  test('reports a bad descriptor or clock with its own subscription', () => {
    const events = poll(createTestInstance(), [
      { userdata: 1n, fd: 77 },
      { userdata: 2n, clock: { id: 9, timeoutNs: 0n } },
    ]);
    expect(events).toEqual([event(1n, { errno: ERRNO.badf, type: 1 }), event(2n, { errno: ERRNO.inval })]);
  });

  test('refuses none, too many, and unknown kinds', () => {
    const instance = createTestInstance();
    const timer = { userdata: 1n, clock: { id: 1, timeoutNs: 0n } };
    expect(poll(instance, [])).toBe(ERRNO.inval);
    expect(poll(instance, Array(64).fill(timer))).toHaveLength(64);
    expect(poll(instance, Array(65).fill(timer))).toBe(ERRNO.inval);
    expect(poll(instance, [{ userdata: 1n, type: 3 }])).toBe(ERRNO.inval);
  });
});
