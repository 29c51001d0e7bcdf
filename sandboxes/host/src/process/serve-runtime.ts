import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { createLink } from '../link/link.ts';
import { readToWorker, sendFromWorker } from '../link/worker-messages.ts';
import type { Runtime } from '../runtime-contract.ts';
import { createHeapCleaner } from './heap-cleaner.ts';
import { createWorkerSession } from './worker-session.ts';

/** What the host process's main thread hands to each worker thread. */
export interface WorkerStart {
  /** The inherited socket that is this worker's link to the manager. */
  readonly descriptor: number;
  readonly maxPayloadBytes: number;
}

/**
 * Offers `runtime` to the manager: the last statement of a driver's worker module, once all is loaded and
 * locked down. Calls come one at a time; `prepare` comes before the first `run` of a program, and the same
 * `Program` object comes with every call of it for as long as this worker holds it (key a `WeakMap` by it).
 */
export function serveRuntime(runtime: Runtime): void {
  const { descriptor, maxPayloadBytes }: WorkerStart = workerData;
  const link = createLink(new Socket({ fd: descriptor }), {
    maxPayloadBytes,
    pauseWhenFull: true,
    onFrame: (frame) => session.receive(readToWorker(frame)),
    // The manager is gone or has broken off: without a link there is no work for this thread.
    onClose: () => process.exit(),
  });
  const session = createWorkerSession(runtime, (message) => sendFromWorker(link, message), createHeapCleaner());
  sendFromWorker(link, { type: 'ready' });
}
