import { once } from 'node:events';
import { create, createClient, RpcStatus } from '@yuanbot/proto';
import { ExecuteToolsRequestSchema } from '@yuanbot/proto/capability';
import { SandboxManagerService } from '@yuanbot/proto/sandbox';
import { describe, expect, it } from 'vitest';
import { threadTool } from '../fixtures/plugin-folder.ts';
import { busyThreads } from './busy.ts';
import { startTestPlatform } from './test-platform.ts';

const slow = threadTool('slow', 'const until = ctx.now() + 3000; while (ctx.now() < until) {} return "finished";');
const quick = threadTool('quick', 'return 1;');

/** A loaded machine takes its time. */
const POLL = { timeout: 20_000, interval: 20 };

async function get(http: string, path: string): Promise<{ status: number; body: string }> {
  const answer = await fetch(`http://${http}${path}`);
  return { status: answer.status, body: await answer.text() };
}

describe('HTTP', () => {
  it('of both services: health, readiness, metrics', async () => {
    await using yuanbot = await startTestPlatform({ tools: [quick], docker: false });
    await yuanbot.execute('quick');
    await yuanbot.execute('no_such_tool');
    const { orchestrator, sandboxManager } = yuanbot.platform;
    for (const { http } of [orchestrator, sandboxManager]) {
      expect((await get(http, '/healthz')).status).toBe(200);
      expect((await get(http, '/readyz')).status).toBe(200);
      expect((await get(http, '/nothing')).status).toBe(404);
    }
    const { body } = await get(orchestrator.http, '/metrics');
    expect(body).toMatch(/yuanbot_tool_calls_total\{[^}]*tool="quick"[^}]*sandbox="local_thread"[^}]*code="ok"[^}]*\} 1/);
    expect(body).toMatch(/yuanbot_tool_calls_total\{[^}]*tool="unknown"[^}]*code="ERR_TOOL_NOT_FOUND"[^}]*\} 1/);
    expect(body).toMatch(/yuanbot_tool_call_duration_seconds_bucket\{[^}]*phase="run"/);
    expect(body).toMatch(/yuanbot_index_capabilities\{[^}]*kind="tool"[^}]*\} 1/);
    const manager = (await get(sandboxManager.http, '/metrics')).body;
    expect(manager).toMatch(/yuanbot_sandbox_pool_size\{[^}]*sandbox="local_thread"/);
  });
});

describe('shutdown', () => {
  it('lets calls in flight finish, refuses new ones with UNAVAILABLE, and ends clean', async () => {
    await using yuanbot = await startTestPlatform({ tools: [slow, quick], docker: false });
    const { orchestrator } = yuanbot.platform;
    await yuanbot.execute('quick');
    const inFlight = yuanbot.execute('slow');
    await busyThreads(yuanbot, 1);
    process.kill(orchestrator.pid(), 'SIGTERM');
    await expect
      .poll(async () => (await get(orchestrator.http, '/readyz').catch(() => ({ status: 503 }))).status, POLL)
      .toBe(503);
    await expect(yuanbot.execute('quick')).rejects.toMatchObject({ code: RpcStatus.UNAVAILABLE });
    expect(await inFlight).toMatchObject({ success: true, resultJson: '"finished"' });
    expect(await yuanbot.platform.lost).toMatch(/exit code 0/);
  });
});

describe('more calls than may be in flight', () => {
  it('are RESOURCE_EXHAUSTED, one by one and on a stream, and nobody else is harmed', async () => {
    await using yuanbot = await startTestPlatform({
      tools: [slow, quick],
      docker: false,
      overrides: { YUANBOT_ORCHESTRATOR__MAX_CALLS_IN_FLIGHT: '1' },
    });
    const inFlight = yuanbot.execute('slow');
    await busyThreads(yuanbot, 1);
    await expect(yuanbot.execute('quick')).rejects.toMatchObject({ code: RpcStatus.RESOURCE_EXHAUSTED });
    const stream = yuanbot.client.executeTools();
    stream.write(
      create(ExecuteToolsRequestSchema, { message: { case: 'execute', value: { toolId: 'quick', invocationId: 'one' } } }),
    );
    const [answer] = await once(stream, 'data');
    expect(answer).toMatchObject({
      message: { case: 'rejected', value: { invocationId: 'one', code: RpcStatus.RESOURCE_EXHAUSTED } },
    });
    stream.end();
    expect(await inFlight).toMatchObject({ success: true });
    expect(await yuanbot.execute('quick')).toMatchObject({ success: true });
  });
});

describe('without a Docker engine', () => {
  const inDocker = (id: string, more: Readonly<Record<string, unknown>>) => ({
    id,
    executor: { type: 'docker', image: 'busybox', ...more },
    files: { 'fallback.js': 'module.exports = async () => "here instead";\n' },
  });

  it('a readonly tool that declares a fallback runs there and says so; any other is refused', async () => {
    await using yuanbot = await startTestPlatform({
      docker: false,
      tools: [inDocker('with', { fallback: 'local_thread', entry: 'fallback.js' }), inDocker('without', {})],
    });
    expect(await yuanbot.execute('with')).toMatchObject({
      success: true,
      resultJson: '"here instead"',
      stats: { fallback: true },
    });
    const refused = await yuanbot.execute('without');
    expect(refused).toMatchObject({ success: false, errorCode: 'ERR_SANDBOX_UNAVAILABLE' });
    expect(refused.error).toMatch(/docker/i);
  });

  it('the manager says why and how to get one', async () => {
    await using yuanbot = await startTestPlatform({ docker: false, tools: [quick] });
    const manager = createClient(SandboxManagerService, yuanbot.platform.sandboxManager.listen);
    const { sandboxes } = await manager.describe({});
    manager.close();
    expect(sandboxes.map(({ available }) => available)).toEqual([false, true, true]);
    expect(sandboxes[0]?.reason).toMatch(/docker\.io|sandbox\.docker\.socket/);
  });
});

it('when the sandbox manager dies, calls in flight get an answer, and the platform recovers by itself', async () => {
  await using yuanbot = await startTestPlatform({ tools: [slow, quick], docker: false, restart: true });
  await yuanbot.execute('quick');
  const inFlight = yuanbot.execute('slow');
  await busyThreads(yuanbot, 1);
  process.kill(yuanbot.platform.sandboxManager.pid(), 'SIGKILL');
  expect(await inFlight).toMatchObject({ success: false, errorCode: 'ERR_SANDBOX_CRASHED' });
  await expect.poll(async () => (await yuanbot.execute('quick')).success, { timeout: 20_000 }).toBe(true);
});
