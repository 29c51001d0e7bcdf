import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ManagerIdentity, readManagerIdentity } from '@yuanbot/docker-sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { containersOf } from '../../fixtures/docker-engine.ts';
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
