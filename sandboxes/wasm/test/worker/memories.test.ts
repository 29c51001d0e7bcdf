import { describe, expect, test } from 'vitest';
import { createMemories, type Memories, PAGE_BYTES } from '../../src/worker/memories.ts';

const size = { initial: 2, maximum: 2_000 };

function createTestMemories(): { readonly memories: Memories; readonly log: string[]; readonly due: (() => void)[] } {
  const log: string[] = [];
  const due: (() => void)[] = [];
  const memories = createMemories({ collectGarbage: () => log.push('collected'), defer: (task) => due.push(task) });
  return { memories, log, due };
}

describe('a memory that is taken', () => {
  test('holds zeros only, whoever had it before', () => {
    const { memories } = createTestMemories();
    const first = memories.take(size);
    new Uint8Array(first.buffer).fill(0xff);
    memories.giveBack(first, size);
    const second = memories.take(size);
    expect(second).toBe(first);
    expect(new Uint8Array(second.buffer).every((byte) => byte === 0)).toBe(true);
  });

  test('is nobody else’s at the same time', () => {
    const { memories } = createTestMemories();
    memories.giveBack(memories.take(size), size);
    expect(memories.take(size)).not.toBe(memories.take(size));
  });

  test.each([
    ['has grown', size, size, 1],
    ['has another maximum', size, { initial: 2, maximum: 1_999 }, 0],
    ['has another size', size, { initial: 3, maximum: 2_000 }, 0],
    ['is large', { initial: 33, maximum: 40 }, { initial: 33, maximum: 40 }, 0],
  ])('is a fresh one when the last %s', (_name, before, after, growth) => {
    const { memories } = createTestMemories();
    const first = memories.take(before);
    first.grow(growth);
    memories.giveBack(first, before);
    const second = memories.take(after);
    expect(second).not.toBe(first);
    expect(second.buffer.byteLength).toBe(after.initial * PAGE_BYTES);
  });
});

describe('dead memories', () => {
  test('are collected when 64 MiB are dead: soon, and at the latest before the next is made', () => {
    const { memories, log, due } = createTestMemories();
    const half = { initial: 512, maximum: 512 };
    memories.giveBack(memories.take(half), half);
    expect([log, due.length]).toEqual([[], 0]);
    memories.giveBack(memories.take(half), half);
    expect([log, due.length]).toEqual([[], 1]);
    memories.take(half);
    expect(log).toEqual(['collected']);
    for (const task of due) task();
    expect(log).toEqual(['collected']);
  });

  test('count when there are more spares than are kept', () => {
    const { memories, log } = createTestMemories();
    for (let maximum = 100; maximum < 100 + 2_100; maximum++) {
      const spare = { initial: 1, maximum };
      memories.giveBack(memories.take(spare), spare);
    }
    expect(log).toEqual(['collected', 'collected']);
  });
});
