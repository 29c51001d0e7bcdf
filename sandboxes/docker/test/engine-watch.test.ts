import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEngine } from '../src/engine.ts';
import { createEngineWatch } from '../src/engine-watch.ts';

const INFO = {
  ServerVersion: '20.10.24',
  DefaultRuntime: 'runc',
  NCPU: 2,
  MemoryLimit: true,
  SwapLimit: true,
  CpuCfsQuota: true,
  PidsLimit: true,
  SecurityOptions: ['name=seccomp,profile=default'],
};

describe('engine watch', () => {
  let folder: string;
  let path: string;
  let server: Server;
  let asked: string[];
  let answerInfo: (response: ServerResponse) => void;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yuanbot-docker-'));
    path = join(folder, 'engine.sock');
    asked = [];
    answerInfo = (response) => response.end(JSON.stringify(INFO));
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/_ping') response.end('OK');
      else answerInfo(response);
    });
    server.listen(path);
    await once(server, 'listening');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  it('asks once for many containers, and again when it is to look', async () => {
    const watch = createEngineWatch(openEngine(path));
    const facts = { version: '20.10.24', runtime: 'runc', cpus: 2 };
    expect(await Promise.all([watch.facts(), watch.facts()])).toEqual([facts, facts]);
    expect(await watch.facts()).toEqual(facts);
    expect(asked).toEqual(['/info']);
    expect(await watch.look()).toEqual(facts);
    expect(asked).toEqual(['/info', '/_ping', '/info']);
  });

  it('knows a busy engine, which answers a ping and no more, from one that is gone', async () => {
    const watch = createEngineWatch(openEngine(path));
    await watch.facts();
    answerInfo = () => undefined;
    expect(await watch.look()).toMatchObject({ version: '20.10.24' });
    await expect(createEngineWatch(openEngine(path)).look()).rejects.toMatchObject({ code: 'ERR_SANDBOX_UNAVAILABLE' });
  });

  it('forgets what it knew when the engine is gone', async () => {
    const watch = createEngineWatch(openEngine(path));
    await watch.facts();
    server.close();
    await expect(watch.look()).rejects.toMatchObject({ code: 'ERR_SANDBOX_UNAVAILABLE' });
    await expect(watch.facts()).rejects.toMatchObject({ code: 'ERR_SANDBOX_UNAVAILABLE' });
  });

  it.each([
    ['memory limits', { MemoryLimit: false }],
    ['swap limits', { SwapLimit: false }],
    ['CPU limits', { CpuCfsQuota: false }],
    ['process limits', { PidsLimit: undefined }],
    ['seccomp profile', { SecurityOptions: [] }],
    ['seccomp profile', { SecurityOptions: ['name=seccomp,profile=unconfined'] }],
  ])('an engine that cannot apply %s is not there: %j', async (words, change) => {
    answerInfo = (response) => response.end(JSON.stringify({ ...INFO, ...change }));
    const watch = createEngineWatch(openEngine(path));
    const refusal = { code: 'ERR_SANDBOX_UNAVAILABLE', message: expect.stringContaining(words) };
    await expect(watch.facts()).rejects.toMatchObject(refusal);
    await expect(watch.look()).rejects.toMatchObject(refusal);
  });

  it('is of the socket that it was given, whatever DOCKER_HOST says', async () => {
    for (const host of ['tcp://127.0.0.1:1', 'ssh://nobody@127.0.0.1:1', 'unix:///nowhere.sock']) {
      vi.stubEnv('DOCKER_HOST', host);
      vi.stubEnv('DOCKER_TLS_VERIFY', '1');
      expect(await createEngineWatch(openEngine(path)).facts()).toMatchObject({ version: '20.10.24' });
    }
  });
});
