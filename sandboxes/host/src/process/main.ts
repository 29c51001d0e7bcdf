/**
 * Entry of a host process: the manager starts it with an empty environment, an inherited control socket and one
 * inherited socket for each worker thread it may ever start. Argument: `HostStart` as JSON.
 */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { readToHost, sendFromHost } from '../link/control-messages.ts';
import { createLink } from '../link/link.ts';
import type { WorkerStart } from './serve-runtime.ts';
import { createSupervisor } from './supervisor.ts';

export interface HostStart {
  readonly controlDescriptor: number;
  readonly workerModule: string;
  readonly maxPayloadBytes: number;
}

/** V8's young generation of a worker, in MiB; part of what a call may use, so it stays small. */
const YOUNG_GENERATION_MB = 16;

const { controlDescriptor, workerModule, maxPayloadBytes }: HostStart = JSON.parse(process.argv[2] ?? '');

preferAsVictim();

const supervisor = createSupervisor(
  ({ descriptor, heapMb }) => {
    const start: WorkerStart = { descriptor, maxPayloadBytes };
    const worker = new Worker(workerModule, {
      workerData: start,
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.stdout.resume();
    worker.stderr.pipe(process.stderr, { end: false });
    return worker;
  },
  (message) => sendFromHost(control, message),
);

const control = createLink(new Socket({ fd: controlDescriptor }), {
  maxPayloadBytes,
  pauseWhenFull: true,
  onFrame: (frame) => supervisor.receive(readToHost(frame)),
  // The manager is gone. SIGKILL, because an orderly exit waits for threads that may be in an endless loop.
  onClose: () => process.kill(process.pid, 'SIGKILL'),
});

/** When memory runs out, the kernel is to take this process, not the manager. */
function preferAsVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch (error) {
    process.stderr.write(`The host process keeps its out-of-memory score: ${String(error)}\n`);
  }
}
