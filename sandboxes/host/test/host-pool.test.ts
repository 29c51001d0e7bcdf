import { afterAll, describe, expect, test, vi } from 'vitest';
import { processExists, programOf, startTestPool } from './fixtures/test-pool.ts';

// Processes are started here: on a busy machine that takes seconds.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const ECHO = 'return params;';
const BUSY = 'for (;;);';
const NEVER = 'await new Promise(() => {});';

describe('calls', () => {
  const shared = startTestPool();
  afterAll(() => shared.pool.close());
  const { run, outcome, failure } = shared;

  test('what goes in comes out, with figures', async () => {
    const params = { text: 'ü漢😀\n"\u2028', list: [1, null, { deep: true }] };
    expect(await run(ECHO, { params })).toEqual(params);
    const { stats } = await outcome(ECHO, { params });
    expect(stats).toMatchObject({ isolation: 'process', steps: 0 });
    expect(stats.startMs).toBeGreaterThanOrEqual(0);
    expect(stats.runMs).toBeGreaterThan(0);
  });

  test('four at a time run at once, the fifth waits its turn and says how long', async () => {
    const gate = 'await new Promise((resolve) => setTimeout(resolve, 120)); return Date.now();';
    await shared.ready(4);
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => outcome(gate)));
    const waited = five.map(({ stats }) => stats.queueMs);
    expect(waited.filter((ms) => ms < 60)).toHaveLength(4);
    expect(waited.filter((ms) => ms >= 60)).toHaveLength(1);
  });

  test('hundreds at once each get their own answer', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, index) => run(ECHO, { params: { index } })));
    expect(answers).toEqual(Array.from({ length: 300 }, (_, index) => ({ index })));
  });

  test('a program is told its command, its names of secrets, its files and its call', async () => {
    const body = `return { command: program.command, files: [...program.resources].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
      user: call.userId, approved: call.approved, invocation: call.invocationId };`;
    const program = {
      ...programOf(
        body,
        new Map([
          ['a.txt', Buffer.from('ä')],
          ['b/c', Buffer.from('')],
        ]),
      ),
      command: ['--x'],
    };
    const call = { paramsJson: '{}', approved: false, userId: 'me', invocationId: 'inv', memoryMb: 64, outputBytes: 1000 };
    const { contentJson } = await shared.pool.run(program, call, {
      timeoutMs: 5_000,
      signal: new AbortController().signal,
      performStep: () => Promise.reject(new Error('none')),
    });
    expect(JSON.parse(contentJson)).toEqual({
      command: ['--x'],
      files: [
        ['a.txt', 'ä'],
        ['b/c', ''],
      ],
      user: 'me',
      approved: false,
      invocation: 'inv',
    });
  });

  test('the process has an empty environment, no standard input, and nothing of ours open', async () => {
    const body = `const fs = process.getBuiltinModule('fs');
      const open = fs.readdirSync('/proc/self/fd').flatMap((fd) => { try { return [fs.readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; } });
      return { env: Object.keys(process.env), initial: fs.readFileSync('/proc/self/environ', 'utf8'), cwd: process.cwd(),
        stdin: fs.readlinkSync('/proc/self/fd/0'), files: open.filter((name) => name.startsWith('/') && name !== '/dev/null') };`;
    expect(await run(body)).toMatchObject({ env: [], initial: '', cwd: '/', stdin: '/dev/null' });
    const { files } = (await run(body)) as { files: string[] };
    expect(files.filter((name) => !name.startsWith('/proc/'))).toEqual([]);
  });

  test('a result above its limit is refused, one byte below is not', async () => {
    const body = 'return "x".repeat(params.length);';
    expect(await failure(body, { params: { length: 999 }, outputBytes: 1000 })).toBe('ERR_OUTPUT_LIMIT');
    expect(await run(body, { params: { length: 998 }, outputBytes: 1000 })).toHaveLength(998);
    expect(await failure('return "漢".repeat(400);', { outputBytes: 1000 })).toBe('ERR_OUTPUT_LIMIT');
  });

  test('prepare says what is wrong, and run says it too', async () => {
    const { signal } = new AbortController();
    await expect(shared.pool.prepare(programOf('return 1;'), signal)).resolves.toBeUndefined();
    await expect(shared.pool.prepare(programOf('return ((;'), signal)).rejects.toMatchObject({ code: 'ERR_INTERNAL' });
    expect(await failure('return ((;')).toBe('ERR_INTERNAL');
    // The test worker throws what no driver should; the cause is for the log, not for the caller.
    const error: Error = await run('return ((;').then(
      () => new Error('none'),
      (rejected) => rejected,
    );
    expect(error.message).not.toContain('Unexpected');
    expect(String(error.cause)).toContain("Unexpected token ';'");
  });

  test('onStarted comes once, before the answer, and never for a program that cannot start', async () => {
    let started = 0;
    const onStarted = () => started++;
    await run(ECHO, { onStarted });
    expect(started).toBe(1);
    await failure('return ((;', { onStarted });
    expect(started).toBe(1);
  });
});

describe('callers that call back', () => {
  test('a program may be prepared any number of times, and a call started from onStarted', async () => {
    await using shared = startTestPool({ hosts: 1, workersPerHost: 1 });
    const { signal } = new AbortController();
    await Promise.all([1, 2, 3, 4].map(() => shared.pool.prepare(programOf(ECHO), signal)));
    const inner: Promise<unknown>[] = [];
    const onStarted = () => inner.push(shared.run(ECHO, { params: { inner: 1 } }));
    expect(await shared.run(ECHO, { params: { outer: 1 }, onStarted })).toEqual({ outer: 1 });
    expect(await Promise.all(inner)).toEqual([{ inner: 1 }]);
  });

  test('a call whose start brings another one is still run once', async () => {
    await using shared = startTestPool({ hosts: 1, workersPerHost: 3 });
    await shared.ready(3);
    let runs = 0;
    const performStep = async () => {
      runs++;
      return { field: 'response', json: '1' } as const;
    };
    const inner: Promise<unknown>[] = [];
    const onStarted = () => inner.push(shared.run(ECHO));
    const body = `await step('{"type":"db","operation":"count"}');`;
    // Prepared, so that its code is started in the very turn in which it gets its worker.
    await shared.run(body, { performStep });
    await shared.run(body, { onStarted, performStep });
    await Promise.all(inner);
    await Promise.all([ECHO, ECHO, ECHO].map((echo) => shared.run(echo)));
    expect(runs).toBe(2);
  });

  test('an onStarted that throws ends its call before it runs, and no other', async () => {
    await using shared = startTestPool({ hosts: 1, workersPerHost: 1 });
    const onStarted = () => {
      throw new Error('no record could be written');
    };
    expect(await shared.failure(ECHO, { onStarted })).toBe('ERR_INTERNAL');
    expect(await shared.run(ECHO, { params: { next: 1 } })).toEqual({ next: 1 });
  });
});

describe('steps', () => {
  const shared = startTestPool({ hosts: 1, workersPerHost: 1 });
  afterAll(() => shared.pool.close());
  const ASK = `const answer = await step(JSON.stringify({ type: 'db', operation: 'read', params: { n: 1 } })); return JSON.parse(answer.json);`;

  test('a step is performed outside and its answer comes back', async () => {
    const { contentJson, stats } = await shared.outcome(ASK, {
      performStep: async (asked) => ({ field: 'db_response', json: JSON.stringify({ asked }) }),
    });
    expect(JSON.parse(contentJson)).toEqual({ asked: { type: 'db', operation: 'read', params: { n: 1 } } });
    expect(stats.steps).toBe(1);
  });

  test('a refusal ends the call with the platform’s code, whatever the code would do with it', async () => {
    const swallow = `try { await step('{"type":"mail","operation":"send"}'); } catch { } return 'swallowed';`;
    const { ToolCallError } = await import('@yuanbot/contract');
    const performStep = () => Promise.reject(new ToolCallError('ERR_SCOPE_DENIED', 'No mail for this tool.'));
    expect(await shared.failure(swallow, { performStep })).toBe('ERR_SCOPE_DENIED');
    // The same thread takes the next call: it was not needed to stop it.
    expect(shared.events.filter(({ type }) => type === 'worker_ended')).toEqual([]);
    expect(await shared.run(ECHO, { params: { next: 1 } })).toEqual({ next: 1 });
  });

  test('code that goes on while its step is refused is stopped', async () => {
    const goOn = `step('{"type":"mail","operation":"send"}'); await new Promise(setImmediate); for (;;);`;
    const performStep = () => Promise.reject(new Error('whatever'));
    expect(await shared.failure(goOn, { performStep })).toBe('ERR_INTERNAL');
  });

  test('a step that is none is refused before it is performed', async () => {
    let performed = 0;
    const performStep = async () => {
      performed++;
      return { field: 'response', json: '{}' } as const;
    };
    expect(await shared.failure(`await step('{"type":"http"}');`, { performStep })).toBe('ERR_STEP_INVALID');
    expect(await shared.failure(`await step('{"type":"result","content":1}');`, { performStep })).toBe('ERR_STEP_INVALID');
    expect(
      await shared.failure(`for (let i = 0; i < 100; i++) step('{"type":"db","operation":"x"}'); ${NEVER}`, { performStep }),
    ).toBe('ERR_STEP_LIMIT');
    expect(performed).toBeLessThanOrEqual(16);
  });

  test('a promise job loop that outlives the result never reaches the next call', async () => {
    const linger = `void (async () => { for (;;) await null; })(); return 'done';`;
    expect(await shared.failure(linger, { timeoutMs: 200 })).toBe('ERR_SANDBOX_TIMEOUT');
    expect(await shared.run(ECHO, { params: { next: 2 } })).toEqual({ next: 2 });
  });
});

describe('time and cancelling', () => {
  const shared = startTestPool({ hosts: 1, workersPerHost: 2 });
  afterAll(() => shared.pool.close());
  const { run, failure } = shared;

  test.each([
    ['a busy loop', BUSY],
    ['a promise that never settles', NEVER],
    ['a catastrophic regular expression', 'return /^(a+)+$/.test("a".repeat(60) + "b");'],
  ])('%s ends within 250 ms of its limit', async (_, body) => {
    await run(ECHO);
    const startedAt = performance.now();
    expect(await failure(body, { timeoutMs: 150 })).toBe('ERR_SANDBOX_TIMEOUT');
    expect(performance.now() - startedAt).toBeLessThan(150 + 250 + 100);
    expect(await run(ECHO, { params: { after: 1 } })).toEqual({ after: 1 });
  });

  test('a thread inside one long native operation takes its process with it', async () => {
    const native = 'const big = new Uint8Array(3e7); for (;;) big.sort();';
    expect(await failure(native, { timeoutMs: 150 })).toBe('ERR_SANDBOX_TIMEOUT');
    expect(await run(ECHO, { params: { after: 2 } })).toEqual({ after: 2 });
  });

  test('a signal that is aborted beforehand runs nothing', async () => {
    let started = 0;
    const signal = AbortSignal.abort();
    expect(await failure(ECHO, { signal, onStarted: () => started++ })).toBe('ERR_CANCELLED');
    expect(started).toBe(0);
    await expect(shared.pool.prepare(programOf(ECHO), signal)).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
  });

  test('a running call is cancelled at once, and its thread is gone', async () => {
    const cancel = new AbortController();
    const ended = failure(BUSY, { signal: cancel.signal, onStarted: () => setImmediate(() => cancel.abort()) });
    expect(await ended).toBe('ERR_CANCELLED');
    expect(shared.events.at(-1)).toMatchObject({ type: 'worker_ended', cause: 'stopped' });
  });

  test('a queued call that is cancelled leaves the queue, and the others keep their turn', async () => {
    const busy = [BUSY, BUSY].map((body) => failure(body, { timeoutMs: 300 }));
    const cancel = new AbortController();
    let started = false;
    const queued = failure(ECHO, { signal: cancel.signal, onStarted: () => (started = true) });
    const behind = run(ECHO, { params: { behind: 1 } });
    cancel.abort();
    expect(await queued).toBe('ERR_CANCELLED');
    expect(await Promise.all(busy)).toEqual(['ERR_SANDBOX_TIMEOUT', 'ERR_SANDBOX_TIMEOUT']);
    expect(await behind).toEqual({ behind: 1 });
    expect(started).toBe(false);
  });
});

describe('queue bounds', () => {
  test('too many waiting calls, and one that waits too long, are refused', async () => {
    await using pool = startTestPool({ hosts: 1, workersPerHost: 1, maxQueue: 1, queueTimeoutMs: 150 });
    await pool.ready(1);
    const busy = pool.failure(BUSY, { timeoutMs: 500 });
    const waits = pool.failure(ECHO);
    expect(await pool.failure(ECHO)).toBe('ERR_POOL_EXHAUSTED');
    expect(await waits).toBe('ERR_POOL_EXHAUSTED');
    expect(await busy).toBe('ERR_SANDBOX_TIMEOUT');
  });
});

describe('programs', () => {
  test('one is prepared once a worker, and again after it was dropped for others', async () => {
    const body = (name: string) => `/* ${name} ${'-'.repeat(400)} */ return program.digest;`;
    await using pool = startTestPool({ hosts: 1, workersPerHost: 1, programCacheBytes: 1000 });
    const prepares = async (name: string) => (await pool.outcome(body(name))).stats.warm;
    expect(await prepares('a')).toBe(false);
    expect(await prepares('a')).toBe(true);
    expect(await prepares('b')).toBe(false);
    expect(await prepares('a')).toBe(true);
    expect(await prepares('c')).toBe(false);
    expect(await prepares('b')).toBe(false);
  });

  test('one of megabytes goes through whole; one above the limit is refused', async () => {
    await using pool = startTestPool({ hosts: 1, workersPerHost: 1, maxPayloadBytes: 8 * 1024 * 1024 });
    const body = `return program.artifact.length; //${'x'.repeat(5_000_000)}`;
    expect(await pool.run(body)).toBe(body.length);
    expect(await pool.failure(`//${'x'.repeat(8_000_000)}`)).toBe('ERR_SANDBOX_START');
    expect(await pool.failure(ECHO, { params: 'x'.repeat(8_000_000) })).toBe('ERR_PARAMS_INVALID');
  });
});

describe('start and end', () => {
  test('describe waits for the first process and says what it sees', async () => {
    await using pool = startTestPool({ hosts: 1, workersPerHost: 2 });
    expect(await pool.pool.describe()).toMatchObject({
      kind: 'local_thread',
      available: true,
      isolation: 'process',
      reason: '',
      capacity: 2,
    });
  });

  test('a worker that cannot load makes the sandbox unavailable, with the cause', async () => {
    await using pool = startTestPool({ hosts: 1, workersPerHost: 1, workerModule: '/nowhere/worker.js' });
    expect(await pool.failure(ECHO)).toBe('ERR_SANDBOX_UNAVAILABLE');
    expect(await pool.pool.describe()).toMatchObject({ available: false, isolation: '', warm: 0 });
    expect((await pool.pool.describe()).reason).toContain('/nowhere/worker.js');
  });

  test('a node that is not there makes the sandbox unavailable, with the cause', async () => {
    await using pool = startTestPool({ hosts: 1, nodePath: '/nowhere/node' });
    expect(await pool.failure(ECHO)).toBe('ERR_SANDBOX_UNAVAILABLE');
    expect((await pool.pool.describe()).reason).toContain('ENOENT');
  });

  test('close rejects what runs and what waits, and leaves no process', async () => {
    const pool = startTestPool({ hosts: 2, workersPerHost: 1 });
    await pool.run(ECHO);
    const calls = [BUSY, NEVER, ECHO].map((body) => pool.failure(body));
    await pool.pool.close();
    expect(await Promise.all(calls)).toEqual(Array(3).fill('ERR_SANDBOX_UNAVAILABLE'));
    expect(pool.pids().filter(processExists)).toEqual([]);
    expect(await pool.failure(ECHO)).toBe('ERR_SANDBOX_UNAVAILABLE');
    expect(await pool.pool.describe()).toMatchObject({ available: false, warm: 0, busy: 0 });
    await pool.pool.close();
  });
});
