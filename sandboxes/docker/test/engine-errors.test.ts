import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDockerDriver, type DockerDriver, readManagerIdentity } from '../src/index.ts';

const EXECUTION = {
  executable: {
    descriptor: {
      kind: 'docker',
      image: 'busybox',
      artifact: '',
      command: [],
      env: [],
      protocol: 'oneshot',
      network: 'none',
      resources: [],
    },
    digest: 'sha256:0',
    artifact: undefined,
    resources: new Map(),
  },
  call: { paramsJson: '{}', approved: true, userId: 'u', invocationId: 'i' },
  permissionLevel: 'readonly',
  limits: { timeoutMs: 1_000, memoryMb: 32, cpus: 0.5, pids: 16, outputBytes: 1_000 },
  signal: new AbortController().signal,
  performStep: () => Promise.reject(new Error('no step was expected')),
  onStarted: () => undefined,
} as const;

describe('an engine that is not there', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yuanbot-docker-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function withDriver(socketPath: string, use: (driver: DockerDriver) => Promise<void>): Promise<void> {
    const driver = createDockerDriver({ socketPath, manager: await readManagerIdentity('test', process.pid) });
    await use(driver);
    await driver.close();
  }

  async function expectUnavailable(socketPath: string, why: RegExp): Promise<void> {
    await withDriver(socketPath, async (driver) => {
      expect(await driver.describe()).toMatchObject({ available: false, isolation: '', reason: expect.stringMatching(why) });
      const refusal = { code: 'ERR_SANDBOX_UNAVAILABLE', message: expect.stringMatching(why) };
      await expect(driver.run(EXECUTION)).rejects.toMatchObject(refusal);
      await expect(driver.prepare(EXECUTION.executable, EXECUTION.signal)).rejects.toMatchObject(refusal);
      await expect(driver.sweepOrphans()).rejects.toMatchObject({ code: 'ERR_SANDBOX_UNAVAILABLE' });
    });
  }

  it('no socket: says so and how to get one', async () => {
    await expectUnavailable(join(folder, 'none.sock'), /no Docker engine.*apt-get install docker\.io.*sandbox\.docker\.socket/);
  });

  it('a socket nobody listens on', async () => {
    const path = join(folder, 'dead.sock');
    await writeFile(path, '');
    await expectUnavailable(path, /does not answer.*apt-get install docker\.io/);
  });

  it('a server that hangs up', async () => {
    const path = join(folder, 'rude.sock');
    const server = createServer((socket) => socket.destroy()).listen(path);
    await expectUnavailable(path, /closed the connection/);
    server.close();
  });

  it('a server that never answers: describe does not wait for it', async () => {
    const path = join(folder, 'mute.sock');
    const server = createServer(() => undefined).listen(path);
    await withDriver(path, async (driver) => {
      expect(await driver.describe()).toMatchObject({
        available: false,
        reason: expect.stringMatching(/did not answer in time/),
      });
    });
    server.close();
  });

  it('after close, calls are refused', async () => {
    const driver = createDockerDriver({
      socketPath: join(folder, 'none.sock'),
      manager: await readManagerIdentity('test', process.pid),
    });
    await driver.close();
    await expect(driver.run(EXECUTION)).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
  });
});
