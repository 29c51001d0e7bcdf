import { expect, test } from 'vitest';
import { createRestartDelay } from '../../src/platform/restart-delay.ts';

test('pauses double up to a bound, and start over once a service held', () => {
  const delay = createRestartDelay();
  expect(Array.from({ length: 9 }, () => delay.next(10))).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(delay.next(60_000)).toBe(500);
  expect(delay.next(10)).toBe(1000);
});
