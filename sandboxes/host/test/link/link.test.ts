import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLink, type Link } from '../../src/link/link.ts';

const MAX_PAYLOAD = 4 * 1024 * 1024;

/** Two connected unix sockets. */
async function socketPair(): Promise<[Socket, Socket]> {
  const folder = await mkdtemp(join(tmpdir(), 'link-'));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve));
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const near = createConnection(join(folder, 's'));
  const far = await accepted;
  server.close();
  await rm(folder, { recursive: true, force: true });
  return [near, far];
}

interface Received {
  readonly link: Link;
  readonly payloads: string[];
  /** Resolves when `count` frames have come. */
  count(count: number): Promise<void>;
  readonly closed: Promise<Error | undefined>;
}

function receive(socket: Socket, pauseWhenFull = false): Received {
  const payloads: string[] = [];
  const closed = Promise.withResolvers<Error | undefined>();
  let waiting: (() => void) | undefined;
  const link = createLink(socket, {
    maxPayloadBytes: MAX_PAYLOAD,
    pauseWhenFull,
    onFrame({ payload }) {
      payloads.push(payload.toString());
      waiting?.();
    },
    onClose: closed.resolve,
  });
  return {
    link,
    payloads,
    closed: closed.promise,
    count: (count) =>
      new Promise((resolve) => {
        waiting = () => payloads.length >= count && resolve();
        waiting();
      }),
  };
}

test('frames of all sizes arrive whole and in order', async () => {
  const [near, far] = await socketPair();
  const sender = receive(near);
  const receiver = receive(far);
  const bodies = ['', 'ü'.repeat(10), '漢'.repeat(30_000), 'x'.repeat(70_000), 'after', 'y'.repeat(3_000_000), 'last'];
  bodies.forEach((body, index) => {
    sender.link.send(1, index, `head${index}`, body);
  });
  await receiver.count(bodies.length);
  expect(receiver.payloads).toEqual(bodies.map((body, index) => `head${index}\n${body}`));
  sender.link.close();
  expect(await receiver.closed).toBeUndefined();
});

test('thousands of frames that are sent while the peer does not read arrive unharmed', async () => {
  const [near, far] = await socketPair();
  const sender = receive(near);
  far.pause();
  const bodies = Array.from({ length: 20_000 }, (_, index) => `${index}:${'z'.repeat(index % 97)}`);
  // In turns of their own, so that batches are written one by one into a socket that is full.
  for (let start = 0; start < bodies.length; start += 500) {
    for (const body of bodies.slice(start, start + 500)) sender.link.send(1, 1, '', body);
    await new Promise(setImmediate);
  }
  const receiver = receive(far);
  far.resume();
  await receiver.count(bodies.length);
  expect(receiver.payloads).toEqual(bodies.map((body) => `\n${body}`));
  sender.link.close();
});

test('an end that pauses when full reads on once its peer has read', async () => {
  const [near, far] = await socketPair();
  const host = receive(near, true);
  far.pause();
  host.link.send(1, 1, '', 'x'.repeat(3_000_000));
  await new Promise(setImmediate);
  host.link.send(1, 1, '', 'y');
  await new Promise(setImmediate);
  expect(near.isPaused()).toBe(true);
  const manager = receive(far);
  manager.link.send(1, 1, '', 'still heard');
  far.resume();
  await manager.count(2);
  await host.count(1);
  expect(host.payloads).toEqual(['\nstill heard']);
  manager.link.close();
});

test('a peer that sends an impossible length ends the link with the cause', async () => {
  const [near, far] = await socketPair();
  const receiver = receive(near);
  far.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 1]));
  expect((await receiver.closed)?.message).toContain('above the maximum');
});

test('a payload above the maximum is refused where it is sent, and the link lives on', async () => {
  const [near, far] = await socketPair();
  const sender = receive(near);
  const receiver = receive(far);
  expect(() => sender.link.send(1, 1, '', 'x'.repeat(MAX_PAYLOAD + 1))).toThrow('above the maximum');
  sender.link.send(1, 1, '', 'fine');
  await receiver.count(1);
  expect(receiver.payloads).toEqual(['\nfine']);
  sender.link.close();
});
