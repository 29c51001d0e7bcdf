import type { Socket } from 'node:net';
import type { ToolCallError } from '@yuanbot/contract';
import { memoryError } from './call-errors.ts';
import { type Conversation, startConversation } from './conversation.ts';
import type { Job } from './job.ts';
import { FrameError } from './link/frame.ts';
import { createLink } from './link/link.ts';
import { type FromWorker, readFromWorker, sendToWorker } from './link/worker-messages.ts';
import { createMemoryVerdict, type MemorySample, type MemoryVerdict } from './memory-verdict.ts';
import type { ProgramStore } from './program-store.ts';
import type { Program } from './runtime-contract.ts';

/** The manager's side of one worker thread, from its start to its end. It runs one job at a time. */
export interface WorkerHandle {
  readonly classMb: number;
  /** True once it has loaded its module. */
  isReady(): boolean;
  /** True when it can take a job now. */
  isFree(): boolean;
  /** The job it has, in whatever phase. */
  job(): Job | undefined;
  /** When it got the job, by `performance.now()`. */
  assignedAt(): number | undefined;
  holds(digest: string): boolean;
  assign(job: Job): void;
  /** Stops the thread though it has no job, so that another can take its place. */
  retire(): void;
  /** Ends the job it has with `error`: the thread is stopped, and the job settles when it is gone. */
  end(error: ToolCallError): void;
  /** Looks at a memory sample; ends the job when it has used too much. */
  sample(sample: Omit<MemorySample, 'heldBytes'>): void;
  /** The thread is gone: the job it had, and the error that was to end it if there is one. Its link is closed. */
  release(): { readonly job: Job; readonly error: ToolCallError | undefined } | undefined;
}

export interface WorkerHandleOptions {
  readonly socket: Socket;
  readonly classMb: number;
  readonly store: ProgramStore;
  readonly maxPayloadBytes: number;
  readonly prepareTimeoutMs: number;
  /** As observed, for the outcome's statistics. */
  isolation(): string;
  /** It has loaded its module. */
  onReady(): void;
  /** It has become free: at its start, and after each job. */
  onFree(): void;
  /** Stops the thread, at the latest by killing its process. */
  stop(): void;
}

export function createWorkerHandle(options: WorkerHandleOptions): WorkerHandle {
  const { classMb, store } = options;
  let state: 'starting' | 'ready' | 'stopping' | 'gone' = 'starting';
  let current:
    | { readonly job: Job; readonly assignedAt: number; readonly verdict: MemoryVerdict; conversation?: Conversation }
    | undefined;

  const link = createLink(options.socket, {
    maxPayloadBytes: options.maxPayloadBytes,
    pauseWhenFull: false,
    onFrame: (frame) => receive(readFromWorker(frame)),
    onClose(cause) {
      // A worker that breaks the protocol is not to be trusted with another call. When the link merely ended, the
      // thread is ending, and its exit is reported by the host process.
      if (cause !== undefined) stop();
    },
  });

  function receive(message: FromWorker): void {
    if (message.type === 'ready') {
      if (state !== 'starting') throw new FrameError('A worker said twice that it is ready.');
      state = 'ready';
      options.onReady();
      options.onFree();
    } else if (message.call === current?.job.number) {
      current.conversation?.receive(message);
    }
    // Else it is of a call that is settled: what it still sent meanwhile is of no interest.
  }

  function stop(): void {
    if (state === 'stopping' || state === 'gone') return;
    state = 'stopping';
    options.stop();
  }

  function sendProgram(program: Program): void {
    if (store.holds(program.digest)) return;
    const { digest, command, env, artifact, resources } = program;
    const forget = store.add(program);
    const files = [...resources].map(([path, content]) => ({ path, bytes: content.length }));
    const head = { digest, command, env, artifactBytes: artifact.length, resources: files, forget };
    const content = resources.size === 0 ? artifact : Buffer.concat([artifact, ...resources.values()]);
    sendToWorker(link, { type: 'program', head, content });
  }

  return {
    classMb,
    isReady: () => state !== 'starting',
    isFree: () => state === 'ready' && current === undefined,
    job: () => current?.job,
    assignedAt: () => current?.assignedAt,
    holds: (digest) => store.holds(digest),

    assign(job) {
      const { digest } = job.program;
      const verdict = createMemoryVerdict(job.memoryMb, classMb);
      const assignment: typeof current = { job, assignedAt: performance.now(), verdict };
      current = assignment;
      assignment.conversation = startConversation({
        job,
        prepared: store.isReady(digest),
        prepareTimeoutMs: options.prepareTimeoutMs,
        isolation: options.isolation(),
        send: (message) => sendToWorker(link, message),
        sendProgram: () => sendProgram(job.program),
        markPrepared: () => store.markReady(digest),
        peakMemoryBytes: verdict.peakBytes,
        stop,
        onDone() {
          current = undefined;
          options.onFree();
        },
      });
    },

    retire: stop,
    end: (error) => current?.conversation?.end(error),

    sample(sample) {
      if (current?.verdict.isOver({ ...sample, heldBytes: store.bytes() }))
        current.conversation?.end(memoryError(current.job.memoryMb));
    },

    release() {
      if (state === 'gone') return undefined;
      state = 'gone';
      link.close();
      if (current === undefined) return undefined;
      const { job, conversation } = current;
      current = undefined;
      return { job, error: conversation?.release() };
    },
  };
}
