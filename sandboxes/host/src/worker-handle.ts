import type { Socket } from 'node:net';
import { asToolCallError, type Part, parseToolLine, ToolCallError } from '@yuanbot/contract';
import type { Job } from './job.ts';
import { FrameError } from './link/frame.ts';
import { createLink, type Link } from './link/link.ts';
import { type FromWorker, type ResultHead, readFromWorker, sendToWorker } from './link/worker-messages.ts';
import { createMemoryVerdict, type MemorySample, type MemoryVerdict } from './memory-verdict.ts';
import type { ProgramStore } from './program-store.ts';

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
  /** The thread is gone: what it had is returned with the error that was to end it, if any. Its link is closed. */
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

/** A worker that was told that its call is over must be free again in this time; it has nothing left to wait for. */
const ABANDON_GRACE_MS = 100;

/** One job in this worker. */
interface Assignment {
  readonly job: Job;
  readonly assignedAt: number;
  readonly wasWarm: boolean;
  readonly verdict: MemoryVerdict;
  phase: 'preparing' | 'running' | 'ending';
  timer: NodeJS.Timeout | undefined;
  /** What the job ends with, once that is decided before the worker is done with it. */
  error: ToolCallError | undefined;
}

export function createWorkerHandle(options: WorkerHandleOptions): WorkerHandle {
  const { classMb, store } = options;
  let ready = false;
  let gone = false;
  let current: Assignment | undefined;

  const link: Link = createLink(options.socket, {
    maxPayloadBytes: options.maxPayloadBytes,
    pauseWhenFull: false,
    onFrame: (frame) => receive(readFromWorker(frame)),
    onClose(cause) {
      // A worker that breaks the protocol is not to be trusted with another call. When the link merely ended, the
      // thread is ending, and its exit is reported by the host process.
      if (cause !== undefined && !gone) options.stop();
    },
  });

  function receive(message: FromWorker): void {
    if (message.type === 'ready') {
      if (ready) throw new FrameError('A worker said twice that it is ready.');
      ready = true;
      options.onReady();
      options.onFree();
      return;
    }
    // Frames of a call that is decided already are what it still sent meanwhile; only its end is of interest.
    if (current === undefined || message.call !== current.job.number) return;
    switch (message.type) {
      case 'prepared':
        if (current.phase === 'preparing') onPrepared(current);
        return;
      case 'step':
        if (current.phase === 'running') void performStep(current, message.step, message.stepJson);
        return;
      case 'result':
        settle(current, () => resolve(message.head, message.contentJson));
        return;
      case 'failed':
        settle(current, (job) => job.reject(new ToolCallError(message.code, message.message)));
        return;
      case 'abandoned':
        settle(current, (job) => job.reject(new ToolCallError('ERR_INTERNAL', 'The sandbox gave the call up by itself.')));
        return;
    }
  }

  /** The worker is done with its job and free again; an error decided before wins over what it says. */
  function settle(assignment: Assignment, otherwise: (job: Job) => void): void {
    // Once the thread is being stopped there is no way back: the job settles when it is gone.
    if (assignment.phase === 'ending' && stopping) return;
    clearTimeout(assignment.timer);
    if (assignment.error !== undefined) assignment.job.reject(assignment.error);
    else otherwise(assignment.job);
    current = undefined;
    options.onFree();
  }

  let stopping = false;

  function resolve(head: ResultHead, contentJson: string): void {
    if (current === undefined) return;
    const { job, assignedAt, wasWarm, verdict } = current;
    const { parts, peakMemoryBytes, runMs } = head;
    const unfit = refuseResult(contentJson, parts, job.work?.call.outputBytes ?? 0);
    if (unfit !== undefined) {
      job.reject(unfit);
      return;
    }
    job.resolve({
      contentJson,
      parts,
      stats: {
        queueMs: job.queueMs,
        startMs: Math.max(0, performance.now() - assignedAt - runMs),
        runMs,
        peakMemoryBytes: Math.max(peakMemoryBytes, verdict.peakBytes()),
        warm: wasWarm,
        steps: job.steps,
        isolation: options.isolation(),
      },
    });
  }

  function onPrepared(assignment: Assignment): void {
    store.markReady(assignment.job.program.digest);
    start(assignment);
  }

  function start(assignment: Assignment): void {
    const { job } = assignment;
    clearTimeout(assignment.timer);
    if (job.work === undefined) {
      settle(assignment, () => job.resolve(undefined));
      return;
    }
    const { call, options: run } = job.work;
    assignment.phase = 'running';
    assignment.timer = setTimeout(() => {
      endWith(
        new ToolCallError(
          'ERR_SANDBOX_TIMEOUT',
          `The tool did not finish within its limit of ${run.timeoutMs} ms and was stopped.`,
        ),
      );
    }, run.timeoutMs);
    if (!job.started) {
      job.started = true;
      run.onStarted?.();
    }
    const { paramsJson, ...head } = call;
    sendToWorker(link, { type: 'run', call: job.number, head: { digest: job.program.digest, ...head }, paramsJson });
  }

  async function performStep(assignment: Assignment, step: number, stepJson: string): Promise<void> {
    const { job } = assignment;
    job.steps++;
    try {
      const message = parseToolLine(stepJson);
      if (message.type === 'result')
        throw new ToolCallError('ERR_STEP_INVALID', 'The tool gave a result where a step was expected.');
      const answer = await job.work?.options.performStep(message);
      if (answer === undefined || current !== assignment || assignment.phase !== 'running') return;
      sendToWorker(link, { type: 'answer', call: job.number, step, field: answer.field, json: answer.json });
    } catch (error) {
      abandon(assignment, asToolCallError(error));
    }
  }

  /** Ends a call whose code waits for a step: usually the thread need not be stopped for it. */
  function abandon(assignment: Assignment, error: ToolCallError): void {
    if (current !== assignment || assignment.phase !== 'running') return;
    clearTimeout(assignment.timer);
    assignment.phase = 'ending';
    assignment.error = error;
    assignment.timer = setTimeout(stop, ABANDON_GRACE_MS);
    sendToWorker(link, { type: 'abandon', call: assignment.job.number });
  }

  function endWith(error: ToolCallError): void {
    if (current === undefined || stopping) return;
    current.phase = 'ending';
    current.error ??= error;
    stop();
  }

  function stop(): void {
    if (stopping || gone) return;
    stopping = true;
    clearTimeout(current?.timer);
    options.stop();
  }

  return {
    classMb,
    isReady: () => ready,
    isFree: () => ready && !stopping && !gone && current === undefined,
    job: () => current?.job,
    assignedAt: () => current?.assignedAt,
    holds: (digest) => store.holds(digest),

    assign(job) {
      const { program } = job;
      const now = performance.now();
      job.queueMs += now - job.queuedAt;
      const wasWarm = store.isReady(program.digest);
      const verdict = createMemoryVerdict(job.memoryMb, classMb);
      const assignment: Assignment = {
        job,
        assignedAt: now,
        wasWarm,
        verdict,
        phase: 'preparing',
        timer: undefined,
        error: undefined,
      };
      current = assignment;
      if (wasWarm && job.work !== undefined) {
        start(assignment);
        return;
      }
      assignment.timer = setTimeout(() => {
        endWith(
          new ToolCallError('ERR_SANDBOX_START', `The tool's program was not ready within ${options.prepareTimeoutMs} ms.`),
        );
      }, options.prepareTimeoutMs);
      if (!store.holds(program.digest)) sendProgram(job);
      sendToWorker(link, { type: 'prepare', call: job.number, digest: program.digest });
    },

    retire: stop,
    end: endWith,

    sample(sample) {
      if (current === undefined || current.phase === 'ending') return;
      if (current.verdict.isOver({ ...sample, heldBytes: store.bytes() })) endWith(memoryError(current.job.memoryMb));
    },

    release() {
      if (gone) return undefined;
      gone = true;
      link.close();
      if (current === undefined) return undefined;
      clearTimeout(current.timer);
      const { job, error } = current;
      current = undefined;
      return { job, error };
    },
  };

  function sendProgram(job: Job): void {
    const { digest, command, env, artifact, resources } = job.program;
    const forget = store.add(job.program);
    const head = {
      digest,
      command,
      env,
      artifactBytes: artifact.length,
      resources: [...resources].map(([path, content]) => ({ path, bytes: content.length })),
      forget,
    };
    const content = resources.size === 0 ? artifact : Buffer.concat([artifact, ...resources.values()]);
    sendToWorker(link, { type: 'program', head, content });
  }
}

/** The worker checked this already; what runs there may have broken out and skipped it. */
function refuseResult(contentJson: string, parts: readonly Part[], outputBytes: number): ToolCallError | undefined {
  let bytes = Buffer.byteLength(contentJson);
  for (const { mediaType, data, uri, name } of parts) bytes += mediaType.length + data.length + uri.length + name.length;
  if (bytes > outputBytes) {
    return new ToolCallError(
      'ERR_OUTPUT_LIMIT',
      `The tool's result is above its limit of ${outputBytes} bytes; ask it for less.`,
    );
  }
  try {
    JSON.parse(contentJson);
    return undefined;
  } catch {
    return new ToolCallError('ERR_OUTPUT_INVALID', 'The tool returned something that is not JSON.');
  }
}

export function memoryError(memoryMb: number): ToolCallError {
  return new ToolCallError(
    'ERR_SANDBOX_MEMORY',
    `The tool used more than its limit of ${memoryMb} MiB of memory and was stopped.`,
  );
}
