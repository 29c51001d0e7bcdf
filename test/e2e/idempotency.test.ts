import { RpcStatus } from '@yuanbot/proto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { threadTool } from '../fixtures/plugin-folder.ts';
import { startTestPlatform, type TestPlatform } from './test-platform.ts';

let yuanbot: TestPlatform;
beforeAll(async () => {
  yuanbot = await startTestPlatform({
    restart: true,
    tools: [
      threadTool('dice', 'return ctx.random();'),
      threadTool('slow_dice', 'const until = ctx.now() + 300; while (ctx.now() < until) {} return ctx.random();'),
    ],
  });
});
afterAll(() => yuanbot?.[Symbol.asyncDispose]());

it('the same id with the same request runs once', async () => {
  const first = await yuanbot.execute('dice', { a: 1 }, { invocationId: 'once' });
  expect(first).toMatchObject({ success: true, invocationId: 'once' });
  const again = await yuanbot.execute('dice', '{ "a": 1.0 }', { invocationId: 'once' });
  expect(again.resultJson).toBe(first.resultJson);
});

it('while it runs, others attach to it', async () => {
  const results = await Promise.all([1, 2, 3].map(() => yuanbot.execute('slow_dice', {}, { invocationId: 'together' })));
  expect(new Set(results.map(({ resultJson }) => resultJson)).size).toBe(1);
});

it('the same id with another request is INVALID_ARGUMENT', async () => {
  await yuanbot.execute('dice', {}, { invocationId: 'taken' });
  await expect(yuanbot.execute('dice', { other: true }, { invocationId: 'taken' })).rejects.toMatchObject({
    code: RpcStatus.INVALID_ARGUMENT,
  });
  await expect(yuanbot.execute('dice', {}, { invocationId: 'taken', userId: 'somebody else' })).rejects.toMatchObject({
    code: RpcStatus.INVALID_ARGUMENT,
  });
});

it('without an id every call runs, under an id of its own', async () => {
  const [one, two] = [await yuanbot.execute('dice'), await yuanbot.execute('dice')];
  expect(one.resultJson).not.toBe(two.resultJson);
  expect(one.invocationId).toMatch(/^[0-9a-f-]{36}$/);
  expect(two.invocationId).not.toBe(one.invocationId);
});

it('a retry right after a cancel runs, when the cancelled call had not begun', async () => {
  // Both workers are busy, so the call waits.
  const busy = [yuanbot.execute('slow_dice'), yuanbot.execute('slow_dice')];
  const controller = new AbortController();
  const cancelled = yuanbot.client.executeTool({ toolId: 'dice', invocationId: 'again' }, { signal: controller.signal });
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ code: RpcStatus.CANCELLED });
  expect(await yuanbot.execute('dice', {}, { invocationId: 'again' })).toMatchObject({ success: true });
  await Promise.all(busy);
});

it('a call that ran nothing may be tried again', async () => {
  expect(await yuanbot.execute('no_such_tool', {}, { invocationId: 'retry' })).toMatchObject({ errorCode: 'ERR_TOOL_NOT_FOUND' });
  expect(await yuanbot.execute('dice', {}, { invocationId: 'retry' })).toMatchObject({ success: true });
});

it('an outcome survives the orchestrator: the manager remembers, too', async () => {
  const { resultJson } = await yuanbot.execute('dice', {}, { invocationId: 'survives' });
  const { orchestrator } = yuanbot.platform;
  const died = orchestrator.pid();
  process.kill(died, 'SIGKILL');
  await expect.poll(() => orchestrator.pid(), { timeout: 20_000 }).not.toBe(died);
  const retry = () => yuanbot.execute('dice', {}, { invocationId: 'survives' }).catch((error: unknown) => error);
  await expect.poll(retry, { timeout: 20_000 }).toMatchObject({ success: true, resultJson });
});
