import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Executable, Execution, ExecutorDescriptor } from '@yuanbot/contract';
import type { HostEvent } from '@yuanbot/host';
import { afterAll, describe, expect, test } from 'vitest';
import { buildC } from '../../../test/fixtures/wasm/build.ts';
import { createWasmDriver } from '../src/index.ts';
import { failure } from './calls.ts';
import { assemble } from './wat.ts';

const echo = await buildC('echo.c');
const probe = await buildC('probe.c');

const driver = createWasmDriver({ nodePath: process.execPath, hosts: 1, workersPerHost: 2 });
afterAll(() => driver.close());

const sha256 = (content: Uint8Array | string) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

function executable(
  artifact: Uint8Array,
  more: Partial<ExecutorDescriptor> = {},
  files: Readonly<Record<string, string>> = {},
): Executable {
  const resources = new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const descriptor: ExecutorDescriptor = {
    kind: 'wasm',
    image: '',
    artifact: sha256(artifact),
    command: [],
    env: [],
    protocol: 'oneshot',
    network: 'none',
    resources: [...resources].map(([path, content]) => ({ path, digest: sha256(content) })),
    ...more,
  };
  return { descriptor, digest: sha256(JSON.stringify(descriptor)), artifact, resources };
}

function execution(of: Executable, more: Partial<Execution> = {}, paramsJson = '{}'): Execution {
  return {
    executable: of,
    call: { paramsJson, approved: true, userId: 'u1', invocationId: 'i1' },
    permissionLevel: 'readonly',
    limits: { timeoutMs: 10_000, memoryMb: 32, cpus: 1, pids: 16, outputBytes: 65_536 },
    signal: new AbortController().signal,
    performStep: () => Promise.reject(new Error('this test takes no step')),
    onStarted: () => undefined,
    ...more,
  };
}

const probing = (...command: string[]) => executable(probe, { command });

describe('the driver', () => {
  test('runs a C program in a process of its own', async () => {
    const outcome = await driver.run(execution(executable(echo), {}, '{"text":"元","n":12345678901234567890}'));
    expect(outcome.contentJson).toBe('{"text":"元","n":12345678901234567890}');
    expect(outcome.stats).toMatchObject({ isolation: 'process', steps: 0 });
    expect(outcome.stats.peakMemoryBytes).toBeGreaterThanOrEqual(2 * 65_536);
  });

  test('runs many calls at once that share nothing', async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => driver.run(execution(probing('count')))));
    expect(new Set(outcomes.map(({ contentJson }) => contentJson))).toEqual(new Set(['1']));
  });

  test('mounts resources, and an empty one among them', async () => {
    const reader = executable(probe, { command: ['list', '/'] }, { 'zones/cn.txt': 'Asia/Shanghai', empty: '' });
    expect(JSON.parse((await driver.run(execution(reader))).contentJson)).toEqual(['zones/', 'empty']);
  });

  test.each([
    ['text', new TextEncoder().encode('console.log(1)'), /text that begins with "console\.log\(1\)", not a wasm module/],
    ['a cut module', echo.subarray(0, 300), /cannot be run: it ends early/],
    ['a module cut in its code', echo.subarray(0, echo.length - 200), /cannot be run/],
    ['an unknown import', assemble('(module (import "env" "abort" (func)) (memory 1))'), /imports "env"\."abort"/],
    ['no _start', assemble('(module (memory 1) (func (export "main")))'), /does not export the function _start/],
    ['a reactor', assemble('(module (memory 1) (func (export "_initialize")))'), /WASI reactor/],
    ['invalid code', assemble('(module (memory 1) (func (export "_start") (unreachable)))').fill(0xff, -2), /cannot be run/],
  ])('refuses to prepare or run %s', async (_name, artifact, message) => {
    const broken = executable(artifact);
    const refused = failure('ERR_SANDBOX_START', message);
    await expect(driver.prepare(broken, new AbortController().signal)).rejects.toMatchObject(refused);
    await expect(driver.run(execution(broken))).rejects.toMatchObject(refused);
  });

  test('refuses what is no wasm tool', async () => {
    const { signal } = new AbortController();
    for (const [more, message] of [
      [{ protocol: 'serve' }, /oneshot/],
      [{ network: 'proxy' }, /no network/],
      [{ kind: 'local_thread' }, /cannot run in the wasm sandbox/],
    ] as const) {
      await expect(driver.prepare(executable(echo, more), signal)).rejects.toMatchObject(failure('ERR_SANDBOX_START', message));
      await expect(driver.run(execution(executable(echo, more)))).rejects.toMatchObject(failure('ERR_SANDBOX_START', message));
    }
  });

  test.each([
    ['code', probing('spin')],
    ['a sleep', probing('sleep')],
    [
      'its start function',
      executable(assemble('(module (memory 1) (func $s (loop $l (br $l))) (start $s) (func (export "_start")))')),
    ],
  ])('ends a tool that never ends, in %s', async (_name, endless) => {
    const limits = { ...execution(endless).limits, timeoutMs: 300 };
    await expect(driver.run(execution(endless, { limits }))).rejects.toMatchObject(failure('ERR_SANDBOX_TIMEOUT', /300 ms/));
  });

  test.each([['spin'], ['sleep']])('ends a tool in a %s when its call is cancelled', async (mode) => {
    const controller = new AbortController();
    const run = driver.run(execution(probing(mode), { signal: controller.signal, onStarted: () => controller.abort() }));
    await expect(run).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
  });

  test('keeps its limits apart from the process’s', async () => {
    const bombed = driver.run(execution(probing('memory')));
    const flooded = driver.run(execution(probing('flood')));
    await expect(bombed).rejects.toMatchObject(failure('ERR_SANDBOX_MEMORY', /3[12]\.\d of the 32\.0 MiB/));
    await expect(flooded).rejects.toMatchObject(failure('ERR_OUTPUT_LIMIT', /65536/));
  });

  test('hands a refused step’s error on', async () => {
    const { ToolCallError } = await import('@yuanbot/contract');
    const performStep = () => Promise.reject(new ToolCallError('ERR_SCOPE_DENIED', 'not granted'));
    await expect(driver.run(execution(probing('step'), { performStep }))).rejects.toMatchObject(
      failure('ERR_SCOPE_DENIED', /not granted/),
    );
  });

  test('refuses a module with more functions than a compiler writes', { timeout: 30_000 }, async () => {
    const functions = '(func (result i32) (i32.const 1))'.repeat(100_001);
    const bomb = executable(assemble(`(module (memory 1) ${functions} (func (export "_start")))`));
    await expect(driver.prepare(bomb, new AbortController().signal)).rejects.toMatchObject(
      failure('ERR_SANDBOX_START', /100002 functions; at most 100000/),
    );
  });
});

test('closing leaves no process, and rejects what runs', async () => {
  const pids: number[] = [];
  const onEvent = (event: HostEvent) => {
    if (event.type === 'host_started') pids.push(event.pid);
  };
  const closed = createWasmDriver({ nodePath: process.execPath, hosts: 2, workersPerHost: 1, onEvent });
  const started = Promise.withResolvers<void>();
  const running = closed.run(execution(probing('spin'), { onStarted: started.resolve }));
  const rejected = expect(running).rejects.toMatchObject({ code: 'ERR_SANDBOX_UNAVAILABLE' });
  await started.promise;
  await closed.close();
  await rejected;
  expect(pids.length).toBeGreaterThan(0);
  const alive = readdirSync('/proc').filter((entry) => pids.includes(Number(entry)) && !isZombie(entry));
  expect(alive).toEqual([]);
  await expect(closed.run(execution(executable(echo)))).rejects.toMatchObject({ code: 'ERR_SANDBOX_UNAVAILABLE' });
});

function isZombie(pid: string): boolean {
  return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
