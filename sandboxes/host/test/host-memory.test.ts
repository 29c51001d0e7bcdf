import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPool, type TestPool } from './fixtures/test-pool.ts';

const MIB = 1024 * 1024;

/** Each fills memory in a way that another guard has to notice. */
const BOMBS = {
  'typed arrays that are written to': 'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));',
  'typed arrays that are never touched': 'const all = []; for (;;) all.push(new Uint8Array(1e7));',
  'one buffer far above the limit': 'const all = new ArrayBuffer(1e9); for (;;);',
  'one native fill of gigabytes': 'new Uint8Array(3e9).fill(1);',
  'small objects': 'const all = []; for (;;) all.push({ n: all.length });',
  'a large plain array': 'const all = new Array(2e8).fill(0); const more = []; for (;;) more.push(new Array(1e7).fill(1.5));',
  'a map': 'const all = new Map(); for (;;) all.set(all.size, all.size);',
  'strings that double':
    'const all = []; let text = "x"; for (;;) { text = text.length < 2e6 ? text + text : text; all.push(text + all.length); all.at(-1).charCodeAt(1); }',
};

// Filling memory takes its time, and more on a busy machine.
describe('memory', { timeout: 20_000 }, () => {
  let shared: TestPool;
  beforeAll(() => {
    shared = startTestPool({ hosts: 1, workersPerHost: 2 });
  });
  afterAll(() => shared.pool.close());

  test.each(Object.entries(BOMBS))('%s end with ERR_SANDBOX_MEMORY, and the next call finds its place', async (_, body) => {
    expect(await shared.failure(body)).toBe('ERR_SANDBOX_MEMORY');
    expect(await shared.run('return params;', { params: { after: 1 } })).toEqual({ after: 1 });
    expect(process.memoryUsage().rss).toBeLessThan(1024 * MIB);
  });

  test('memory that V8 knows nothing of is seen from outside', async () => {
    const native = `const { scrypt } = process.getBuiltinModule('crypto');
      await new Promise((resolve) => scrypt('a', 'b', 64, { N: 2 ** 20, r: 8, p: 1, maxmem: 2 ** 31 }, resolve)); return 1;`;
    expect(await shared.failure(native)).toBe('ERR_SANDBOX_MEMORY');
  });

  test('memory that is let go again is not used up', async () => {
    const churn = 'let last; for (let i = 0; i < 3000; i++) last = new Uint8Array(1e6).fill(i); return last.length;';
    expect(await shared.run(churn)).toBe(1e6);
  });

  test('what a call may use is its own limit: the same code fits another', async () => {
    const use = `const all = []; for (let i = 0; i < 150; i++) all.push(new Uint8Array(${MIB}).fill(1));
      const until = Date.now() + 300; while (Date.now() < until); return all.length;`;
    expect(await shared.failure(use, { memoryMb: 64 })).toBe('ERR_SANDBOX_MEMORY');
    const { contentJson, stats } = await shared.outcome(use, { memoryMb: 256 });
    expect(contentJson).toBe('150');
    expect(stats.peakMemoryBytes).toBeGreaterThan(140 * MIB);
  });

  test('a heap that needs more than the usual worker gets a worker of its class', async () => {
    const use = 'const all = []; for (let i = 0; i < 2.5e7; i++) all.push(i + 0.5); return all.length;';
    expect(await shared.failure(use, { memoryMb: 32 })).toBe('ERR_SANDBOX_MEMORY');
    expect(await shared.run(use, { memoryMb: 512 })).toBe(2.5e7);
    expect(await shared.failure(use, { memoryMb: 2048 })).toBe('ERR_SANDBOX_START');
  });

  test('one worker changes its class for a call, and not the others with it', async () => {
    await using pool = startTestPool({ hosts: 1, workersPerHost: 3 });
    await pool.ready(3);
    expect(await pool.run('return 1;', { memoryMb: 200 })).toBe(1);
    expect(pool.events.filter(({ type }) => type === 'worker_ended')).toHaveLength(1);
    await Promise.all([1, 2, 3, 4].map(() => pool.run('return 1;', { memoryMb: 200 })));
    await pool.run('return 1;');
    expect(pool.events.filter(({ type }) => type === 'host_ended')).toEqual([]);
  });

  test('what one call leaves behind is not counted as the next one’s', async () => {
    const heavy = 'const all = []; for (let i = 0; i < 50; i++) all.push(new Uint8Array(1e6).fill(1)); return all.length;';
    const light = 'const until = Date.now() + 200; while (Date.now() < until); return 1;';
    await using single = startTestPool({ hosts: 1, workersPerHost: 1 });
    for (let round = 0; round < 3; round++) {
      expect(await single.run(heavy)).toBe(50);
      expect(await single.run(light, { memoryMb: 16 })).toBe(1);
    }
  });

  test('a bomb does not take its neighbours with it', async () => {
    await using pair = startTestPool({ hosts: 1, workersPerHost: 2 });
    await pair.ready(2);
    const neighbour = pair.run('await new Promise((resolve) => setTimeout(resolve, 400)); return "there";');
    // The kind that V8 answers by aborting the whole process.
    expect(await pair.failure(BOMBS['a map'])).toBe('ERR_SANDBOX_MEMORY');
    expect(await neighbour).toBe('there');
  });
});
