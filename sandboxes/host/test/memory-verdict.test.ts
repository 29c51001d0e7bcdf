import { expect, test } from 'vitest';
import { createMemoryVerdict } from '../src/memory-verdict.ts';

const MIB = 1024 * 1024;
const idle = { heapBytes: 8 * MIB, externalBytes: 0, heldBytes: 0 };

test('more than twice the limit outside the heap ends a call at once', () => {
  const verdict = createMemoryVerdict(64, 64);
  expect(verdict.isOver({ ...idle, externalBytes: 129 * MIB })).toBe(true);
});

test('a little above the limit is garbage at first, and used memory when it stays', () => {
  const verdict = createMemoryVerdict(64, 64);
  const above = { ...idle, externalBytes: 70 * MIB };
  expect([above, above, above, idle, above, above, above].map(verdict.isOver)).not.toContain(true);
  expect(verdict.isOver(above)).toBe(true);
  expect(verdict.peakBytes()).toBe(78 * MIB);
});

test('the limit outside the heap is the call’s own, not that of its worker’s class', () => {
  const verdict = createMemoryVerdict(16, 64);
  expect(verdict.isOver({ ...idle, externalBytes: 33 * MIB })).toBe(true);
});

test('what the worker holds for the manager is not the call’s', () => {
  const verdict = createMemoryVerdict(64, 64);
  expect(verdict.isOver({ ...idle, externalBytes: 180 * MIB, heldBytes: 120 * MIB })).toBe(false);
});
