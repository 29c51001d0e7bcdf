import { type ExecutionOutcome, type SandboxStatus, ToolCallError } from '@yuanbot/contract';
import { asStartError, cancelledError } from './call-errors.ts';
import { createDispatcher } from './dispatcher.ts';
import { createHostFleet } from './host-fleet.ts';
import type { HostedCall, Job, RunOptions } from './job.ts';
import { memoryClassMb } from './memory-class.ts';
import { type HostPoolOptions, withDefaults } from './options.ts';
import { programBytes } from './program-store.ts';
import type { Program } from './runtime-contract.ts';

/**
 * Host processes with worker threads, shared by all calls of one sandbox kind.
 *
 * - `prepare` and `run` reject with nothing but a `ToolCallError`, and settle when nothing of the call is left.
 * - A call whose host process dies through no known fault of its own, and that had taken no step, is run once more,
 *   alone in a process. That is the only re-run there is.
 */
export interface HostPool {
  /** Checks a program in one worker. Rejects with ERR_SANDBOX_START, ERR_SANDBOX_UNAVAILABLE or ERR_CANCELLED. */
  prepare(program: Program, signal: AbortSignal): Promise<void>;
  run(program: Program, call: HostedCall, options: RunOptions): Promise<ExecutionOutcome>;
  /** Waits for the first process to be up or to have failed; then looks. Never rejects. */
  describe(): Promise<SandboxStatus>;
  /** Rejects what waits or runs with ERR_SANDBOX_UNAVAILABLE; resolves when no process is left. */
  close(): Promise<void>;
}

/** Of a message, what is not artifact or parameters: names, ids, paths. */
const HEAD_ROOM_BYTES = 1024 * 1024;

export function createHostPool(options: HostPoolOptions): HostPool {
  const settings = withDefaults(options);
  const { kind } = settings;
  let closing = false;
  let lastNumber = 0;

  const fleet = createHostFleet(settings, {
    onChange: () => dispatcher.dispatch(),
    onLost: (jobs, outOfMemory) => dispatcher.takeBack(jobs, outOfMemory),
  });
  const dispatcher = createDispatcher(settings, fleet);

  function submit(
    program: Program,
    memoryMb: number,
    signal: AbortSignal,
    work: { readonly call: HostedCall; readonly options: RunOptions } | undefined,
  ): Promise<ExecutionOutcome | undefined> {
    const refusal = signal.aborted ? cancelledError() : (refuse(program, memoryMb, work?.call) ?? dispatcher.refusal());
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      // Numbers are 32 bits on the link; a call that old is long over when one comes again.
      lastNumber = (lastNumber + 1) >>> 0 || 1;
      const onAbort = () => dispatcher.end(job, cancelledError());
      const letGo = () => signal.removeEventListener('abort', onAbort);
      const job: Job = {
        number: lastNumber,
        program,
        memoryMb,
        classMb: Math.max(memoryClassMb(memoryMb), memoryClassMb(settings.defaultMemoryMb)),
        work,
        queuedAt: performance.now(),
        queueMs: 0,
        deaths: 0,
        steps: 0,
        started: false,
        resolve(outcome) {
          letGo();
          resolve(outcome);
        },
        reject(error) {
          letGo();
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      dispatcher.add(job);
    });
  }

  function refuse(program: Program, memoryMb: number, call: HostedCall | undefined): ToolCallError | undefined {
    if (closing) return shuttingDown();
    if (memoryMb > settings.maxMemoryMb) {
      return new ToolCallError(
        'ERR_SANDBOX_START',
        `The tool asks for ${memoryMb} MiB of memory; the ${kind} sandbox gives at most ${settings.maxMemoryMb}.`,
      );
    }
    const mostBytes = settings.maxPayloadBytes - HEAD_ROOM_BYTES;
    if (programBytes(program) > mostBytes) {
      return new ToolCallError(
        'ERR_SANDBOX_START',
        `The tool's files are above the ${kind} sandbox's limit of ${mostBytes} bytes.`,
      );
    }
    if (call !== undefined && Buffer.byteLength(call.paramsJson) > mostBytes) {
      return new ToolCallError(
        'ERR_PARAMS_INVALID',
        `The parameters are above the ${kind} sandbox's limit of ${mostBytes} bytes.`,
      );
    }
    return undefined;
  }

  function shuttingDown(): ToolCallError {
    return new ToolCallError('ERR_SANDBOX_UNAVAILABLE', `The ${kind} sandbox is shutting down; try again on another manager.`);
  }

  return {
    async prepare(program, signal) {
      try {
        await submit(program, settings.defaultMemoryMb, signal, undefined);
      } catch (error) {
        throw asStartError(error);
      }
    },

    async run(program, call, options) {
      const outcome = await submit(program, call.memoryMb, options.signal, { call, options });
      if (outcome === undefined) throw new ToolCallError('ERR_INTERNAL', 'The sandbox ended a call without an outcome.');
      return outcome;
    },

    async describe() {
      await fleet.firstNews();
      const { isolation, reason } = await fleet.observe();
      const { warm, busy } = fleet.counts();
      return {
        kind,
        available: isolation !== '',
        isolation,
        reason,
        warm,
        busy,
        capacity: settings.hosts * settings.workersPerHost,
      };
    },

    async close() {
      closing = true;
      dispatcher.rejectAll(shuttingDown());
      await fleet.close(shuttingDown());
    },
  };
}
