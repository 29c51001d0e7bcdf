import { once } from 'node:events';
import { create, createClient, createServer, serveCallStream } from '@yuanbot/proto';
import {
  CapabilityService,
  type ExecuteToolsRequest,
  ExecuteToolsRequestSchema,
  ExecuteToolsResponseSchema,
} from '@yuanbot/proto/capability';
import { afterEach, expect, it, vi } from 'vitest';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Running {
  readonly id: string;
  readonly signal: AbortSignal;
  end(): void;
}

/** A real server whose calls run until the test ends them, and a client's stream to it. */
async function open({ maxInFlight = 1000, answerBytes = 0 } = {}) {
  const running: Running[] = [];
  const server = createServer({ maxReceiveBytes: 1024 * 1024, onInternalError: () => {} });
  server.handle(CapabilityService, {
    executeTools(stream) {
      const calls = serveCallStream(stream, {
        maxInFlight,
        onMessage({ message }: ExecuteToolsRequest) {
          if (message.case === 'cancel') calls.cancel(message.value.invocationId);
          if (message.case !== 'execute') return;
          const { invocationId } = message.value;
          calls.run(invocationId, async (signal) => {
            const { promise, resolve } = Promise.withResolvers<void>();
            running.push({ id: invocationId, signal, end: resolve });
            if (answerBytes === 0) await promise;
            calls.send(
              create(ExecuteToolsResponseSchema, {
                message: { case: 'result', value: { invocationId, resultJson: 'x'.repeat(answerBytes) } },
              }),
            );
          });
        },
      });
    },
  });
  const client = createClient(CapabilityService, await server.listen('127.0.0.1:0'));
  cleanups.push(
    () => server.close(AbortSignal.timeout(1000)),
    () => client.close(),
  );
  const stream = client.executeTools();
  stream.on('error', () => {});
  const execute = (invocationId: string) =>
    stream.write(create(ExecuteToolsRequestSchema, { message: { case: 'execute', value: { invocationId } } }));
  const cancel = (invocationId: string) =>
    stream.write(create(ExecuteToolsRequestSchema, { message: { case: 'cancel', value: { invocationId } } }));
  const seen = (count: number) => vi.waitFor(() => expect(running.length).toBe(count), { timeout: 5_000 });
  return { stream, running, execute, cancel, seen };
}

it('a cancel ends the calls of its id and no others; an empty one ends nothing', async () => {
  const { running, execute, cancel, seen } = await open();
  for (const id of ['a', 'b', 'a', '']) execute(id);
  await seen(4);
  cancel('');
  cancel('a');
  await vi.waitFor(() =>
    expect(running.map(({ id, signal }) => [id, signal.aborted])).toEqual([
      ['a', true],
      ['b', false],
      ['a', true],
      ['', false],
    ]),
  );
});

it('a peer that ends its side still gets what is in flight', async () => {
  const { stream, running, execute, seen } = await open();
  execute('late');
  await seen(1);
  stream.end();
  running[0]?.end();
  const [answer] = await once(stream, 'data');
  expect(answer).toMatchObject({ message: { case: 'result', value: { invocationId: 'late' } } });
  await once(stream, 'status');
});

it('a peer that goes away takes its calls with it', async () => {
  const { stream, running, execute, seen } = await open();
  execute('lost');
  await seen(1);
  stream.cancel();
  await vi.waitFor(() => expect(running[0]?.signal.aborted).toBe(true));
});

it('no more is read than may be in flight, and reading goes on when a call has ended', async () => {
  const { running, execute, seen, stream } = await open({ maxInFlight: 3 });
  stream.resume();
  for (let at = 0; at < 100; at++) execute(String(at));
  await seen(3);
  // What was read together with the third is served together with it; what comes later waits.
  const before = running.length;
  running[0]?.end();
  await vi.waitFor(() => expect(running.length).toBeGreaterThan(before));
  expect(running.length).toBeLessThan(100);
});

it('a peer that does not read is not read either: its answers do not pile up', async () => {
  const { running, execute, stream } = await open({ answerBytes: 100_000 });
  stream.pause();
  const requests = 2_000;
  for (let at = 0; at < requests; at++) execute(String(at));
  // The stream's windows take a few answers; a server without back-pressure would read and answer all of it.
  await vi.waitFor(() => expect(running.length).toBeGreaterThan(0));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(running.length).toBeLessThan(requests / 2);
  stream.resume();
  await vi.waitFor(() => expect(running.length).toBe(requests), { timeout: 10_000 });
});
