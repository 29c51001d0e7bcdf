import type { FromHost, ToHost, WorkerExit } from '../link/control-messages.ts';

/** The part of a `worker_threads` Worker that is used here. */
export interface WorkerThread {
  on(event: 'error', listener: (error: Error & { code?: string }) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  terminate(): Promise<unknown>;
  getHeapStatistics(): Promise<{ used_heap_size: number; external_memory: number; malloced_memory: number }>;
}

export interface Supervisor {
  receive(message: ToHost): void;
}

/** Starts, ends and measures worker threads as the manager says, and reports each one that is gone. */
export function createSupervisor(
  startThread: (start: { descriptor: number; heapMb: number }) => WorkerThread,
  send: (message: FromHost) => void,
): Supervisor {
  const threads = new Map<number, { readonly thread: WorkerThread; stopping: boolean; measuring: boolean }>();

  function start(worker: number, descriptor: number, heapMb: number): void {
    const thread = startThread({ descriptor, heapMb });
    const entry = { thread, stopping: false, measuring: false };
    let reason: WorkerExit = 'crashed';
    let detail = 'It ended by itself.';
    thread.on('error', (error) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') reason = 'memory';
      detail = error.message;
    });
    thread.on('exit', () => {
      threads.delete(worker);
      send({ type: 'exited', worker, reason: entry.stopping ? 'stopped' : reason, detail });
    });
    threads.set(worker, entry);
  }

  async function measure(worker: number, entry: { readonly thread: WorkerThread; measuring: boolean }): Promise<void> {
    // A thread inside one long native operation answers late: asking again would only queue up.
    if (entry.measuring) return;
    entry.measuring = true;
    try {
      const { used_heap_size, malloced_memory, external_memory } = await entry.thread.getHeapStatistics();
      send({
        type: 'memory',
        workers: [{ worker, heapBytes: used_heap_size + malloced_memory, externalBytes: external_memory }],
      });
    } catch {
      // The thread ended meanwhile, and `exit` reports that; there is nothing left to measure.
    } finally {
      entry.measuring = false;
    }
  }

  return {
    receive(message) {
      switch (message.type) {
        case 'start':
          start(message.worker, message.descriptor, message.heapMb);
          return;
        case 'stop': {
          const entry = threads.get(message.worker);
          if (entry === undefined) return;
          entry.stopping = true;
          void entry.thread.terminate();
          return;
        }
        case 'measure':
          for (const [worker, entry] of threads) void measure(worker, entry);
          return;
      }
    },
  };
}
