import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { BUSYBOX_IMAGE } from '../../fixtures/images.ts';
import { executionOf } from '../execution.ts';
import { dockerTool } from '../tools/docker.ts';
import { executableOf } from '../tools/executable.ts';
import { type OpenDocker, openDocker } from './open-docker.ts';

interface EngineEvent {
  readonly status: string;
  readonly timeNano: number;
}

/** What the engine says happened to the driver's containers between `begin` and the returned function's call. */
async function watchEvents({ engine, instanceId }: OpenDocker): Promise<() => Promise<EngineEvent[]>> {
  const since = Math.floor(Date.now() / 1_000);
  return async () => {
    const until = Math.ceil(Date.now() / 1_000) + 1;
    const stream = (await engine.getEvents({
      since,
      until,
      filters: { label: [`yuanbot.manager=${instanceId}`] },
    })) as unknown as Readable;
    const lines = Buffer.concat(await stream.toArray())
      .toString()
      .split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as EngineEvent);
  };
}

describe('time', () => {
  let docker: OpenDocker;
  afterEach(() => docker[Symbol.asyncDispose]());

  it('a tool is dead within 250 ms after its limit, counted from when it ran', async () => {
    docker = await openDocker();
    const timeoutMs = 700;
    const lived: number[] = [];
    // The engine's own figures of three calls; what else the machine does only adds to them, so the least is ours.
    for (let call = 0; call < 3; call++) {
      const events = await watchEvents(docker);
      await expect(docker.driver.run(executionOf(dockerTool('spin'), { limits: { timeoutMs } }))).rejects.toMatchObject({
        code: 'ERR_SANDBOX_TIMEOUT',
        message: 'The tool took longer than its 700 ms and was ended.',
      });
      const at = new Map((await events()).map(({ status, timeNano }) => [status, timeNano / 1e6]));
      lived.push((at.get('die') ?? Number.NaN) - (at.get('start') ?? Number.NaN));
    }
    expect(Math.min(...lived)).toBeGreaterThanOrEqual(timeoutMs - 20);
    expect(Math.min(...lived)).toBeLessThanOrEqual(timeoutMs + 250);
  });

  it('the limit is for all lines of a call together', async () => {
    docker = await openDocker();
    const script = `sleep 0.4; echo '{"type":"db","operation":"again"}'`;
    const executable = executableOf('docker', { image: BUSYBOX_IMAGE, command: ['sh', '-c', script] });
    let steps = 0;
    const performStep = async () => {
      steps++;
      return { field: 'db_response', json: 'null' } as const;
    };
    await expect(docker.driver.run(executionOf(executable, { limits: { timeoutMs: 1_000 }, performStep }))).rejects.toMatchObject(
      {
        code: 'ERR_SANDBOX_TIMEOUT',
      },
    );
    expect(steps).toBeGreaterThanOrEqual(1);
    expect(steps).toBeLessThanOrEqual(2);
  });

  it('a start that takes too long is given up, and what comes of it later is removed', async () => {
    docker = await openDocker({ startLimitMs: 1 });
    const events = await docker.engine.getEvents({ filters: { label: [`yuanbot.manager=${docker.instanceId}`] } });
    const destroyed = new Promise<void>((resolve) => {
      events.on('data', (event: Buffer) => {
        if (event.toString().includes('"status":"destroy"')) resolve();
      });
    });
    await expect(docker.driver.run(executionOf(dockerTool('echo')))).rejects.toMatchObject({
      code: 'ERR_SANDBOX_START',
      message: expect.stringContaining('within 1 ms'),
    });
    await destroyed;
    (events as unknown as Readable).destroy();
    await docker.driver.close();
    expect(await docker.containers()).toEqual([]);
  });
});
