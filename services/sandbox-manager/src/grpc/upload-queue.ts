import { RpcError, RpcStatus } from '@yuanbot/proto';

/** How long one upload may take, in ms: 64 MiB over a slow link. A peer that stops sending must not keep its place. */
const UPLOAD_LIMIT_MS = 60_000;

/** Lets a few uploads be read at a time; the others wait unread, and their senders feel back-pressure. */
export interface UploadQueue {
  /** Runs `read` when there is a place. Rejects with CANCELLED when `signal` aborts, DEADLINE_EXCEEDED after a minute. */
  run<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T>;
}

export function createUploadQueue(places: number): UploadQueue {
  const waiting: (() => void)[] = [];
  let free = places;

  async function enter(): Promise<void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** The place goes to whoever waits longest. */
  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  }

  return {
    async run(signal, read) {
      await enter();
      try {
        return await Promise.race([read(), failing(signal)]);
      } finally {
        leave();
      }
    },
  };
}

function failing(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const tooLong = AbortSignal.timeout(UPLOAD_LIMIT_MS);
    const fail = () =>
      reject(
        signal.aborted
          ? new RpcError(RpcStatus.CANCELLED, 'The upload was cancelled.')
          : new RpcError(RpcStatus.DEADLINE_EXCEEDED, `The upload took longer than ${UPLOAD_LIMIT_MS} ms.`),
      );
    if (signal.aborted) fail();
    else AbortSignal.any([signal, tooLong]).addEventListener('abort', fail, { once: true });
  });
}
