import type { Message } from '@bufbuild/protobuf';
import type { ServerDuplexStream } from '@grpc/grpc-js';

/** Many calls in flight on one bidirectional stream, each with an id and an answer of its own. */
export interface CallStream<Answer> {
  /** Sends a message, unless the peer is gone. While it does not read, nothing more is read from it. */
  send(answer: Answer): void;
  /** Runs a call under `id`; `work` sends the answer, must not reject, and is aborted by `cancel` and with the stream. */
  run(id: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Aborts what runs under `id`. Calls without an id cannot be told apart, so an empty one cancels nothing. */
  cancel(id: string): void;
}

export interface CallStreamOptions<Request> {
  /** Calls in flight from which the stream is not read until one has ended: the peer feels back-pressure. */
  readonly maxInFlight: number;
  readonly onMessage: (request: Request) => void;
}

/**
 * Serves a stream until it ends: when the peer ends its side, what is in flight is still answered; when it cancels or
 * disconnects, its calls are aborted.
 */
export function serveCallStream<Request extends Message, Answer extends Message>(
  stream: ServerDuplexStream<Request, Answer>,
  { maxInFlight, onMessage }: CallStreamOptions<Request>,
): CallStream<Answer> {
  const running = new Map<string, Set<AbortController>>();
  let inFlight = 0;
  let peerReads = true;
  let halfClosed = false;

  function updateFlow(): void {
    const full = !peerReads || inFlight >= maxInFlight;
    if (full && !stream.isPaused()) stream.pause();
    else if (!full && stream.isPaused()) stream.resume();
  }

  function endIfDone(): void {
    if (halfClosed && inFlight === 0) stream.end();
  }

  async function track(id: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const sameId = running.get(id) ?? new Set();
    running.set(id, sameId.add(controller));
    inFlight++;
    updateFlow();
    try {
      await work(controller.signal);
    } finally {
      inFlight--;
      sameId.delete(controller);
      if (sameId.size === 0) running.delete(id);
      updateFlow();
      endIfDone();
    }
  }

  const abortAll = () => {
    for (const sameId of running.values()) for (const controller of sameId) controller.abort();
  };
  stream.on('data', onMessage);
  stream.on('end', () => {
    halfClosed = true;
    endIfDone();
  });
  stream.on('drain', () => {
    peerReads = true;
    updateFlow();
  });
  stream.on('cancelled', abortAll);
  stream.on('error', abortAll);

  return {
    send(answer) {
      if (stream.cancelled || stream.destroyed) return;
      peerReads = stream.write(answer) && peerReads;
      updateFlow();
    },
    run: (id, work) => void track(id, work),
    cancel(id) {
      if (id !== '') for (const controller of running.get(id) ?? []) controller.abort();
    },
  };
}
