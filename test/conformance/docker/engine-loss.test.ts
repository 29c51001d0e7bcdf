import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { executionOf } from '../execution.ts';
import { dockerTool } from '../tools/docker.ts';
import { type EngineRelay, openEngineRelay } from './engine-relay.ts';
import { type OpenDocker, openDocker } from './open-docker.ts';

describe('an engine that goes away', () => {
  const path = join(tmpdir(), `yuanbot-relay-${process.pid}.sock`);
  let relay: EngineRelay;
  let docker: OpenDocker;
  beforeEach(async () => {
    relay = await openEngineRelay(path);
    docker = await openDocker({ socketPath: path });
  });
  afterEach(async () => {
    await docker[Symbol.asyncDispose]();
    await rm(path, { force: true });
  });

  it.each([
    ['while it makes a container', 'create', 'ERR_SANDBOX_UNAVAILABLE'],
    ['while it starts one', 'start', 'ERR_SANDBOX_UNAVAILABLE'],
    ['while a tool runs, which may have acted', 'wait', 'ERR_SANDBOX_CRASHED'],
  ])('%s; what it left is removed when it is back, and calls work again', async (_when, word, code) => {
    const answering = relay.answering(word);
    const outcome = docker.driver.run(executionOf(dockerTool('sleep'))).catch((error: unknown) => error);
    await answering;
    await relay.shut();
    const error = await outcome;
    // The answer that was just beginning may have come through: then the next question finds nobody.
    expect(error).toMatchObject({ code: expect.stringMatching(word === 'wait' ? code : /^ERR_SANDBOX_(UNAVAILABLE|CRASHED)$/) });
    await expect(docker.driver.run(executionOf(dockerTool('echo')))).rejects.toMatchObject({ code: 'ERR_SANDBOX_UNAVAILABLE' });
    expect(await docker.driver.describe()).toMatchObject({ available: false, busy: 0 });

    relay = await openEngineRelay(path);
    await docker.driver.sweepOrphans();
    expect((await docker.driver.run(executionOf(dockerTool('echo')))).contentJson).toBe('{}');
    await docker.driver.close();
    expect(await docker.containers()).toEqual([]);
    await relay.shut();
  });
});
