import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManagerIdentity, readManagerIdentity } from '@yuanbot/docker-sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { containersOf, testDockerSocket } from '../../fixtures/docker-engine.ts';
import { executionOf } from '../execution.ts';
import { dockerTool } from '../tools/docker.ts';
import { type OpenDocker, openDocker } from './open-docker.ts';

describe('orphans', () => {
  let docker: OpenDocker;
  beforeEach(async () => {
    docker = await openDocker();
  });
  afterEach(() => docker[Symbol.asyncDispose]());

  async function sleeperOf({ instanceId, pid, startedAt, namespace }: ManagerIdentity): Promise<void> {
    const container = await docker.engine.createContainer({
      Image: 'busybox:latest',
      Cmd: ['sleep', '3600'],
      Labels: {
        'yuanbot.manager': instanceId,
        'yuanbot.manager.pid': String(pid),
        'yuanbot.manager.started': startedAt,
        'yuanbot.manager.namespace': namespace,
      },
      HostConfig: { NetworkMode: 'none' },
    });
    await container.start();
  }

  it('the containers of a manager that died are removed, those of a living one are not', async () => {
    const neighbour = spawn('/bin/sleep', ['3600']);
    await once(neighbour, 'spawn');
    const identity = await readManagerIdentity(`${docker.instanceId}-neighbour`, neighbour.pid ?? 0);
    await sleeperOf(identity);

    await docker.driver.sweepOrphans();
    expect(await containersOf(docker.engine, identity.instanceId)).toHaveLength(1);

    neighbour.kill();
    await once(neighbour, 'exit');
    expect(await docker.driver.sweepOrphans()).toBeGreaterThanOrEqual(1);
    expect(await containersOf(docker.engine, identity.instanceId)).toEqual([]);
  });

  it('a driver sweeps when it starts', async () => {
    const dead = { ...(await readManagerIdentity(`${docker.instanceId}-dead`, process.pid)), startedAt: '1' };
    await sleeperOf(dead);
    const swept = Promise.withResolvers<void>();
    await using _next = await openDocker({
      log: (_level, message) => {
        if (message.startsWith('removed containers')) swept.resolve();
      },
    });
    await swept.promise;
    expect(await containersOf(docker.engine, dead.instanceId)).toEqual([]);
  });
});

describe('an engine that goes away', () => {
  const path = join(tmpdir(), `yuanbot-relay-${process.pid}.sock`);
  afterEach(() => rm(path, { force: true }));

  /** A door to the real engine that can be shut. */
  async function openRelay(): Promise<{ shut(): Promise<void> }> {
    const sockets = new Set<Socket>();
    const server: Server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ path: testDockerSocket(), allowHalfOpen: true });
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on('error', () => to.destroy());
        from.pipe(to);
      }
    });
    server.listen(path);
    await once(server, 'listening');
    return {
      async shut() {
        server.close();
        for (const socket of sockets) socket.destroy();
        await once(server, 'close');
      },
    };
  }

  it('while a tool runs: ERR_SANDBOX_CRASHED, for it may have acted; what it left is removed when the engine is back', async () => {
    const relay = await openRelay();
    await using docker = await openDocker({ socketPath: path });
    const begun = Promise.withResolvers<void>();
    const performStep = async () => ({ field: 'response', json: '1' }) as const;
    const events = await docker.engine.getEvents({
      filters: { event: ['start'], label: [`yuanbot.manager=${docker.instanceId}`] },
    });
    events.once('data', () => begun.resolve());
    const running = docker.driver.run(executionOf(dockerTool('sleep'), { performStep }));
    const outcome = running.catch((error: unknown) => error);
    await begun.promise;
    (events as unknown as { destroy(): void }).destroy();
    // The engine tells of the start before it has answered it: this settles once the driver knows.
    await expect.poll(() => docker.containers()).toEqual([expect.stringContaining('running')]);
    await relay.shut();
    expect(await outcome).toMatchObject({ code: expect.stringMatching(/^ERR_SANDBOX_(CRASHED|UNAVAILABLE)$/) });
    await expect(docker.driver.run(executionOf(dockerTool('echo')))).rejects.toMatchObject({ code: 'ERR_SANDBOX_UNAVAILABLE' });
    expect(await docker.driver.describe()).toMatchObject({ available: false, busy: 0 });

    const again = await openRelay();
    expect(await docker.containers()).toHaveLength(1);
    await docker.driver.sweepOrphans();
    expect(await docker.containers()).toEqual([]);
    expect((await docker.driver.run(executionOf(dockerTool('echo')))).contentJson).toBe('{}');
    await docker.driver.close();
    await again.shut();
  });
});
