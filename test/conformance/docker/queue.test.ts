import { afterEach, describe, expect, it } from 'vitest';
import { executionOf } from '../execution.ts';
import { dockerTool } from '../tools/docker.ts';
import { type OpenDocker, openDocker } from './open-docker.ts';

describe('queue', () => {
  let docker: OpenDocker;
  afterEach(() => docker[Symbol.asyncDispose]());

  it('runs no more containers than it may, in order of arrival, and says how long each waited', async () => {
    docker = await openDocker({ maxContainers: 1, maxQueued: 2 });
    const finished: number[] = [];
    const calls = [0, 1, 2].map(async (call) => {
      const { stats } = await docker.driver.run(executionOf(dockerTool('echo')));
      finished.push(call);
      return stats.queueMs;
    });
    expect(await docker.driver.describe()).toMatchObject({ busy: 1, capacity: 1 });
    const [first = 0, second = 0, third = 0] = await Promise.all(calls);
    expect(finished).toEqual([0, 1, 2]);
    expect(first).toBeLessThan(second);
    expect(second).toBeLessThan(third);
  });

  it('refuses the call that would wait behind too many, and lets one go that gives up waiting', async () => {
    docker = await openDocker({ maxContainers: 1, maxQueued: 1 });
    const giving = new AbortController();
    const running = docker.driver.run(executionOf(dockerTool('echo')));
    const waiting = docker.driver.run(executionOf(dockerTool('echo'), { signal: giving.signal }));
    const refused = docker.driver.run(executionOf(dockerTool('echo')));
    await expect(refused).rejects.toMatchObject({ code: 'ERR_POOL_EXHAUSTED' });
    giving.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    expect((await running).contentJson).toBe('{}');
  });

  it('a call that waits for a step holds no container', async () => {
    docker = await openDocker({ maxContainers: 1, maxQueued: 0 });
    const performStep = async () => {
      const other = await docker.driver.run(executionOf(dockerTool('echo'), { paramsJson: '{"other":1}' }));
      return { field: 'response', json: other.contentJson } as const;
    };
    expect((await docker.driver.run(executionOf(dockerTool('http-step'), { performStep }))).contentJson).toBe('{"other":1}');
  });

  it.each([
    ['serve', { protocol: 'serve' }],
    ['proxy', { network: 'proxy' }],
  ] as const)('refuses what it cannot do yet: %s', async (word, change) => {
    docker = await openDocker();
    const tool = dockerTool('echo');
    const executable = { ...tool, descriptor: { ...tool.descriptor, ...change } };
    const refusal = { code: 'ERR_SANDBOX_START', message: expect.stringContaining(word) };
    await expect(docker.driver.run(executionOf(executable))).rejects.toMatchObject(refusal);
    await expect(docker.driver.prepare(executable, new AbortController().signal)).rejects.toMatchObject(refusal);
  });
});
