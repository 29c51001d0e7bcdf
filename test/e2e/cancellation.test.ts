import { once } from 'node:events';
import { create, createClient, RpcStatus } from '@yuanbot/proto';
import { CapabilityService, ExecuteToolsRequestSchema, type ExecuteToolsResponse } from '@yuanbot/proto/capability';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { threadTool } from '../fixtures/plugin-folder.ts';
import { busyThreads } from './busy.ts';
import { startTestPlatform, type TestPlatform } from './test-platform.ts';

// One worker: while a call runs, nothing else can. That the next call runs long before the first one's time is over
// shows from outside that the first was ended.
let yuanbot: TestPlatform;
beforeAll(async () => {
  yuanbot = await startTestPlatform({
    tools: [threadTool('for_ever', 'for (;;) {}', { timeout: '60s' }), threadTool('quick', 'return 1;')],
    overrides: { YUANBOT_CAPABILITIES__SANDBOX__THREAD: '{ hosts: 1, workers_per_host: 1 }' },
  });
  await yuanbot.execute('quick');
});
afterAll(() => yuanbot?.[Symbol.asyncDispose]());

async function nextCallRuns(): Promise<void> {
  expect(await yuanbot.execute('quick')).toMatchObject({ success: true });
}

it('cancelling ExecuteTool ends its tool', async () => {
  const controller = new AbortController();
  const call = yuanbot.client.executeTool({ toolId: 'for_ever' }, { signal: controller.signal });
  await busyThreads(yuanbot, 1);
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: RpcStatus.CANCELLED });
  await nextCallRuns();
});

it('cancelling one call on a stream ends that one, and the stream goes on', async () => {
  const stream = yuanbot.client.executeTools();
  const answers: ExecuteToolsResponse[] = [];
  stream.on('data', (answer: ExecuteToolsResponse) => answers.push(answer));
  const send = (message: Parameters<typeof create<typeof ExecuteToolsRequestSchema>>[1]) =>
    stream.write(create(ExecuteToolsRequestSchema, message));
  send({ message: { case: 'execute', value: { toolId: 'for_ever', invocationId: 'long' } } });
  await busyThreads(yuanbot, 1);
  send({ message: { case: 'cancel', value: { invocationId: 'long' } } });
  send({ message: { case: 'execute', value: { toolId: 'quick', invocationId: 'short' } } });
  stream.end();
  await once(stream, 'status');
  const results = answers.map(({ message }) =>
    message.case === 'result' ? [message.value.invocationId, message.value.errorCode] : message,
  );
  expect(results).toEqual([
    ['long', 'ERR_CANCELLED'],
    ['short', ''],
  ]);
});

it('a caller that disconnects takes its calls with it', async () => {
  const client = createClient(CapabilityService, yuanbot.platform.orchestrator.listen);
  const stream = client.executeTools();
  stream.on('error', () => {});
  stream.write(
    create(ExecuteToolsRequestSchema, { message: { case: 'execute', value: { toolId: 'for_ever', invocationId: 'left' } } }),
  );
  await busyThreads(yuanbot, 1);
  stream.cancel();
  client.close();
  await nextCallRuns();
});

it('answers come as they finish, matched by id, many in flight', async () => {
  const stream = yuanbot.client.executeTools();
  const seen = new Map<string, string>();
  stream.on('data', ({ message }: ExecuteToolsResponse) => {
    if (message.case === 'result') seen.set(message.value.invocationId, message.value.resultJson);
  });
  const ids = Array.from({ length: 200 }, (_, at) => `many-${at}`);
  for (const invocationId of ids) {
    stream.write(create(ExecuteToolsRequestSchema, { message: { case: 'execute', value: { toolId: 'quick', invocationId } } }));
  }
  stream.end();
  await once(stream, 'status');
  expect([...seen.keys()].sort()).toEqual(ids.toSorted());
});

it('a call that is none is rejected by itself', async () => {
  const stream = yuanbot.client.executeTools();
  stream.write(create(ExecuteToolsRequestSchema, { message: { case: 'execute', value: { toolId: '', invocationId: 'none' } } }));
  const [answer] = await once(stream, 'data');
  expect(answer).toMatchObject({
    message: { case: 'rejected', value: { invocationId: 'none', code: RpcStatus.INVALID_ARGUMENT } },
  });
  stream.write(
    create(ExecuteToolsRequestSchema, { message: { case: 'execute', value: { toolId: 'quick', invocationId: 'good' } } }),
  );
  const [next] = await once(stream, 'data');
  expect(next).toMatchObject({ message: { case: 'result', value: { invocationId: 'good', success: true } } });
  stream.end();
});
