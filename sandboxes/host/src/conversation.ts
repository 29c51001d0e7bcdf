import { asToolCallError, parseToolLine, ToolCallError } from '@yuanbot/contract';
import { timeoutError } from './call-errors.ts';
import { refuseResult } from './call-result.ts';
import type { Job, RunOptions } from './job.ts';
import type { FromWorker, ResultHead, ToWorker } from './link/worker-messages.ts';

/** One job in one worker, from its handing over to its end: preparing, running, ending. */
export interface Conversation {
  receive(message: Exclude<FromWorker, { type: 'ready' }>): void;
  /** Ends the job with `error`: the thread is stopped, and the job settles when that is gone. */
  end(error: ToolCallError): void;
  /** The thread is gone: what the job was to end with, if that is decided. The job is not settled. */
  release(): ToolCallError | undefined;
}

export interface ConversationOptions {
  readonly job: Job;
  /** The worker has the program prepared. */
  readonly prepared: boolean;
  readonly prepareTimeoutMs: number;
  /** As observed, for the outcome's statistics. */
  readonly isolation: string;
  send(message: ToWorker): void;
  /** Sends the program if the worker does not hold it. */
  sendProgram(): void;
  markPrepared(): void;
  peakMemoryBytes(): number;
  /** Stops the thread. */
  stop(): void;
  /** The job is settled, and the worker is free again. */
  onDone(): void;
}

/** A worker that was told that its call is over must be free again in this time, in ms; it has nothing left to wait for. */
const ABANDON_GRACE_MS = 100;
/** The longest time Node's timers can hold, in ms: above it they fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function startConversation(options: ConversationOptions): Conversation {
  const { job, send } = options;
  const assignedAt = performance.now();
  let phase: 'preparing' | 'running' | 'abandoned' | 'stopping' | 'over' = 'preparing';
  let timer: NodeJS.Timeout | undefined;
  /** What the job ends with, once that is decided before the worker is done with it. */
  let decided: ToolCallError | undefined;

  job.queueMs += assignedAt - job.queuedAt;
  if (options.prepared) start();
  else prepare();

  function prepare(): void {
    const { prepareTimeoutMs } = options;
    startTimer(prepareTimeoutMs, () => {
      end(new ToolCallError('ERR_SANDBOX_START', `The tool's program was not ready within ${prepareTimeoutMs} ms.`));
    });
    options.sendProgram();
    send({ type: 'prepare', call: job.number, digest: job.program.digest });
  }

  function start(): void {
    clearTimeout(timer);
    if (job.work === undefined) {
      settle(() => job.resolve(undefined));
      return;
    }
    const { call, options: run } = job.work;
    phase = 'running';
    startTimer(run.timeoutMs, () => end(timeoutError(run.timeoutMs)));
    if (!announceStart(run)) return;
    const { paramsJson, ...head } = call;
    send({ type: 'run', call: job.number, head: { digest: job.program.digest, ...head }, paramsJson });
  }

  /** False when the caller could not take the news: then nothing has run, and nothing will. */
  function announceStart(run: RunOptions): boolean {
    if (job.started) return true;
    job.started = true;
    try {
      run.onStarted?.();
      return true;
    } catch (error) {
      settle(() => job.reject(asToolCallError(error)));
      return false;
    }
  }

  function startTimer(ms: number, onTimeout: () => void): void {
    timer = setTimeout(onTimeout, Math.min(ms, LONGEST_TIMER_MS));
  }

  /** The worker is done with the job. An error decided before wins over what it says. */
  function settle(otherwise: () => void): void {
    // A thread that is being stopped is not free again: the job settles when it is gone.
    if (phase === 'stopping' || phase === 'over') return;
    clearTimeout(timer);
    phase = 'over';
    if (decided !== undefined) job.reject(decided);
    else otherwise();
    options.onDone();
  }

  function resolve({ parts, peakMemoryBytes, runMs }: ResultHead, contentJson: string): void {
    const unfit = refuseResult(contentJson, parts, job.work?.call.outputBytes ?? 0);
    if (unfit !== undefined) {
      job.reject(unfit);
      return;
    }
    const stats = {
      queueMs: job.queueMs,
      startMs: Math.max(0, performance.now() - assignedAt - runMs),
      runMs,
      peakMemoryBytes: Math.max(peakMemoryBytes, options.peakMemoryBytes()),
      warm: options.prepared,
      steps: job.steps,
      isolation: options.isolation,
    };
    job.resolve({ contentJson, parts, stats });
  }

  async function performStep(step: number, stepJson: string): Promise<void> {
    job.steps++;
    try {
      const message = parseToolLine(stepJson);
      if (message.type === 'result')
        throw new ToolCallError('ERR_STEP_INVALID', 'The tool gave a result where a step was expected.');
      const answer = await job.work?.options.performStep(message);
      if (answer === undefined || phase !== 'running') return;
      send({ type: 'answer', call: job.number, step, field: answer.field, json: answer.json });
    } catch (error) {
      abandon(asToolCallError(error));
    }
  }

  /** Ends a call whose code waits for a step: usually the thread need not be stopped for it. */
  function abandon(error: ToolCallError): void {
    // A call that is ending already ends with what was decided first.
    if (phase !== 'running') return;
    clearTimeout(timer);
    phase = 'abandoned';
    decided = error;
    startTimer(ABANDON_GRACE_MS, () => end(error));
    send({ type: 'abandon', call: job.number });
  }

  function end(error: ToolCallError): void {
    if (phase === 'stopping' || phase === 'over') return;
    clearTimeout(timer);
    phase = 'stopping';
    decided ??= error;
    options.stop();
  }

  return {
    receive(message) {
      switch (message.type) {
        case 'prepared':
          if (phase !== 'preparing') return;
          options.markPrepared();
          start();
          return;
        case 'step':
          if (phase === 'running') void performStep(message.step, message.stepJson);
          return;
        case 'result':
          settle(() => resolve(message.head, message.contentJson));
          return;
        case 'failed':
          settle(() => job.reject(failureOf(message)));
          return;
        case 'abandoned':
          settle(() => job.reject(new ToolCallError('ERR_INTERNAL', 'The sandbox gave the call up by itself.')));
          return;
      }
    },

    end,

    release() {
      clearTimeout(timer);
      phase = 'over';
      return decided;
    },
  };
}

function failureOf({ code, message, detail }: FromWorker & { type: 'failed' }): ToolCallError {
  return new ToolCallError(code, message, detail === '' ? {} : { cause: new Error(detail) });
}
