import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { isRunning, processExists, startTestPool } from './fixtures/test-pool.ts';

// Processes are started and end here, several a test: on a busy machine that takes seconds.
vi.setConfig({ testTimeout: 20_000 });

/** A program that says where it runs, so that the test can do something to that process. */
const SLOW = `const answer = await step(JSON.stringify({ type: 'db', operation: 'pid', params: { pid: process.pid } })); return answer.json;`;
const KILL_SELF = `process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});`;
const WAIT = 'await new Promise((resolve) => setTimeout(resolve, 300)); return params;';

test('calls whose process is killed run once more elsewhere, and the caller notices nothing', async () => {
  await using pool = startTestPool({ hosts: 2, workersPerHost: 2 });
  await pool.ready(4);
  const calls = Array.from({ length: 4 }, (_, index) => pool.outcome(WAIT, { params: { index } }));
  const [first = 0] = pool.pids();
  process.kill(first, 'SIGKILL');
  const outcomes = await Promise.all(calls);
  expect(outcomes.map(({ contentJson }) => JSON.parse(contentJson).index)).toEqual([0, 1, 2, 3]);
  expect(pool.events.filter(({ type }) => type === 'call_rerun')).toHaveLength(2);
  await pool.ready(6);
});

test('the call that kills its process twice is the one that fails; those beside it have their results', async () => {
  await using pool = startTestPool({ hosts: 1, workersPerHost: 3 });
  await pool.ready(3);
  const beside = [1, 2].map((n) => pool.run(WAIT, { params: { n } }));
  expect(await pool.failure(KILL_SELF)).toBe('ERR_SANDBOX_CRASHED');
  expect(await Promise.all(beside)).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a call that runs again is beside nobody who could take it down a second time', async () => {
  await using pool = startTestPool({ hosts: 1, workersPerHost: 2 });
  await pool.ready(2);
  const innocent = pool.run(WAIT, { params: { n: 1 } });
  const [pid = 0] = pool.pids();
  process.kill(pid, 'SIGKILL');
  await pool.seen('host_ended', 1);
  const killer = pool.failure(KILL_SELF);
  expect(await innocent).toEqual({ n: 1 });
  expect(await killer).toBe('ERR_SANDBOX_CRASHED');
});

test('onStarted comes once for a call that ran twice', async () => {
  await using pool = startTestPool({ hosts: 1, workersPerHost: 1 });
  let started = 0;
  expect(await pool.failure(KILL_SELF, { onStarted: () => started++ })).toBe('ERR_SANDBOX_CRASHED');
  expect(started).toBe(1);
  expect(pool.events.filter(({ type }) => type === 'call_rerun')).toHaveLength(1);
});

test('a call that had taken a step is not run again', async () => {
  await using pool = startTestPool({ hosts: 1, workersPerHost: 1 });
  let steps = 0;
  const performStep = async (step: unknown) => {
    steps++;
    process.kill((step as { params: { pid: number } }).params.pid, 'SIGKILL');
    return { field: 'db_response', json: '1' } as const;
  };
  expect(await pool.failure(SLOW, { performStep })).toBe('ERR_SANDBOX_CRASHED');
  expect(steps).toBe(1);
});

test('a thread that ends by itself takes only its own call with it', async () => {
  await using pool = startTestPool({ hosts: 1, workersPerHost: 2 });
  await pool.ready(2);
  const beside = pool.run(WAIT, { params: { n: 1 } });
  expect(await pool.failure('process.exit(3);')).toBe('ERR_SANDBOX_CRASHED');
  expect(await pool.failure('setTimeout(() => { throw new Error("late"); }, 1); await new Promise(() => {});')).toBe(
    'ERR_SANDBOX_CRASHED',
  );
  expect(await beside).toEqual({ n: 1 });
  expect(pool.pids()).toHaveLength(1);
});

test('a worker that speaks nonsense on its link is stopped, and its call fails', async () => {
  await using pool = startTestPool({ hosts: 1, workersPerHost: 1 });
  // The first worker of a process has the socket after the control link.
  const nonsense = `process.getBuiltinModule('fs').writeSync(4, Buffer.from([255, 255, 255, 255, 0])); await new Promise(() => {});`;
  expect(await pool.failure(nonsense)).toBe('ERR_SANDBOX_CRASHED');
  expect(await pool.run('return 1;')).toBe(1);
});

test('a process whose sockets are used up is replaced, without a call lost', async () => {
  await using pool = startTestPool({ hosts: 1, workersPerHost: 1, livesPerWorker: 2 });
  for (let life = 0; life < 3; life++) expect(await pool.failure('process.exit(0);')).toBe('ERR_SANDBOX_CRASHED');
  expect(await pool.run('return 1;')).toBe(1);
  expect(pool.pids()).toHaveLength(2);
});

test('when the manager dies, its processes end at once by themselves', async () => {
  const manager = spawn(process.execPath, [fileURLToPath(new URL('./fixtures/doomed-manager.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(manager.stdout, 'data');
  const pids: number[] = JSON.parse(String(line));
  expect(pids).toHaveLength(2);
  expect(pids.every(processExists)).toBe(true);
  manager.kill('SIGKILL');
  await once(manager, 'close');
  const givenUpAt = performance.now() + 2_000;
  while (pids.some(isRunning) && performance.now() < givenUpAt) await new Promise(setImmediate);
  expect(pids.filter(isRunning)).toEqual([]);
});
