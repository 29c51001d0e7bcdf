import {
  asToolCallError,
  type ErrorCode,
  type Executable,
  type ExecutionStats,
  type ExecutorDescriptor,
  type Part,
  type SandboxDriver,
  type SandboxKind,
  type Step,
  type StepAnswer,
  ToolCallError,
} from '@yuanbot/contract';
import { type CallMemory, CallMemoryError, outcomeBytes, type Remembered } from '@yuanbot/kit/idempotency';
import type { TokenVerifier } from '@yuanbot/kit/token';
import { type AdmittedCall, admitCall, admitPreparation, type CallRequest, consumeToken } from './admission.ts';

/** Whether the tool ran for this answer: decides what a retry with the same invocation id may do. */
export type Disposition = 'ran' | 'not_run' | 'conflict' | 'forgotten';

export interface CallOutcome {
  readonly disposition: Disposition;
  /** JSON text of the tool's result; undefined when the call failed. */
  readonly contentJson: string | undefined;
  readonly parts: readonly Part[];
  readonly error: { readonly code: ErrorCode; readonly message: string } | undefined;
  readonly stats: ExecutionStats | undefined;
}

export interface CallObserver {
  /** A call has ended; `cause` is what our logs should know and the caller should not. */
  callEnded(request: CallRequest, outcome: CallOutcome, totalMs: number, cause: unknown): void;
}

export interface CallRunnerDeps {
  readonly drivers: ReadonlyMap<SandboxKind, SandboxDriver>;
  readonly verifier: TokenVerifier;
  readonly outcomes: CallMemory<CallOutcome>;
  readonly executables: ExecutableSource;
  readonly observer: CallObserver;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Where the code of a tool comes from. */
export interface ExecutableSource {
  /**
   * The executable of a descriptor whose digest was checked. Bytes that are not held are asked for through `want`;
   * undefined when there is nobody to ask. Rejects with ERR_SANDBOX_START when they do not come, ERR_CANCELLED when
   * `signal` aborts.
   */
  get(descriptor: ExecutorDescriptor, digest: string, signal: AbortSignal, want: WantArtifact | undefined): Promise<Executable>;
  /** Digests of the bytes that the descriptor needs and that are not held. */
  missing(descriptor: ExecutorDescriptor): Promise<readonly string[]>;
}

/** Asks whoever sent the call for bytes by their digest; resolves when it says that it does not have them. */
export type WantArtifact = (digest: string) => Promise<void>;

export interface CallRunner {
  /** Runs one call to its end. Never rejects: every failure is an outcome with a code of the closed list. */
  run(request: CallRequest, signal: AbortSignal, want?: WantArtifact): Promise<CallOutcome>;
  /**
   * Makes a tool ready before its first call. Resolves to the digests of bytes that are missing; the token is used up
   * only when there are none. Rejects with `ToolCallError`.
   */
  prepare(executor: ExecutorDescriptor, token: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** The path of a call through the manager: admission → idempotency → executable → driver → outcome. */
export function createCallRunner({ drivers, verifier, outcomes, executables, observer, clock }: CallRunnerDeps): CallRunner {
  function driverFor(kind: SandboxKind): SandboxDriver {
    const driver = drivers.get(kind);
    if (driver === undefined) {
      throw new ToolCallError(
        'ERR_SANDBOX_UNAVAILABLE',
        `This sandbox manager has no ${kind} sandbox. Its configuration can switch it on.`,
      );
    }
    return driver;
  }

  async function execute(
    call: AdmittedCall,
    signal: AbortSignal,
    want: WantArtifact | undefined,
  ): Promise<CallOutcome & { cause: unknown }> {
    let started = false;
    try {
      const executable = await executables.get(call.executor, call.executorDigest, signal, want);
      const { contentJson, parts, stats } = await driverFor(call.executor.kind).run({
        executable,
        call,
        permissionLevel: call.permissionLevel,
        limits: call.limits,
        signal,
        performStep: refuseStep,
        onStarted: () => {
          started = true;
        },
      });
      return { disposition: 'ran', contentJson, parts, error: undefined, stats, cause: undefined };
    } catch (error) {
      return { ...failure(error, started ? 'ran' : 'not_run'), cause: error };
    }
  }

  async function runOnce(
    call: AdmittedCall,
    signal: AbortSignal,
    want: WantArtifact | undefined,
  ): Promise<CallOutcome & { cause: unknown }> {
    if (!call.idempotent) return execute(call, signal, want);
    let cause: unknown;
    try {
      const outcome = await outcomes.run(
        call.invocationId,
        call.fingerprint,
        signal,
        async (shared): Promise<Remembered<CallOutcome>> => {
          const { cause: why, ...fresh } = await execute(call, shared, want);
          cause = why;
          return { outcome: fresh, ran: fresh.disposition === 'ran', bytes: outcomeBytes(fresh) };
        },
      );
      return { ...outcome, cause };
    } catch (error) {
      if (!(error instanceof CallMemoryError)) throw error;
      return {
        ...failure(new ToolCallError(MEMORY_CODES[error.reason], error.message), MEMORY_DISPOSITIONS[error.reason]),
        cause,
      };
    }
  }

  return {
    async run(request, signal, want) {
      const startedAt = clock();
      let ended: CallOutcome & { cause: unknown };
      try {
        const call = admitCall(request, verifier);
        await consumeToken(call.claims, verifier);
        ended = await runOnce(call, signal, want);
      } catch (error) {
        ended = { ...failure(error, 'not_run'), cause: error };
      }
      const { cause, ...outcome } = ended;
      observer.callEnded(request, outcome, clock() - startedAt, cause);
      return outcome;
    },
    async prepare(executor, token, signal) {
      const { executorDigest, claims } = admitPreparation(token, executor, verifier);
      const missing = await executables.missing(executor);
      if (missing.length > 0) return missing;
      await consumeToken(claims, verifier);
      const driver = driverFor(executor.kind);
      await driver.prepare(await executables.get(executor, executorDigest, signal, undefined), signal);
      return [];
    },
  };
}

const MEMORY_DISPOSITIONS = {
  conflict: 'conflict',
  forgotten: 'forgotten',
  full: 'not_run',
  detached: 'not_run',
} as const satisfies Record<CallMemoryError['reason'], Disposition>;

const MEMORY_CODES = {
  conflict: 'ERR_PARAMS_INVALID',
  forgotten: 'ERR_CANCELLED',
  full: 'ERR_POOL_EXHAUSTED',
  detached: 'ERR_CANCELLED',
} as const satisfies Record<CallMemoryError['reason'], ErrorCode>;

function refuseStep(step: Step): Promise<StepAnswer> {
  return Promise.reject(
    new ToolCallError(
      'ERR_SCOPE_DENIED',
      `The tool asked the platform for ${ARTICLE[step.type]} step, which this call may not do.`,
    ),
  );
}

const ARTICLE = { http: 'an http', db: 'a db', mail: 'a mail' } as const satisfies Record<Step['type'], string>;

function failure(error: unknown, disposition: Disposition): CallOutcome {
  const { code, message } = asToolCallError(error);
  return { disposition, contentJson: undefined, parts: [], error: { code, message }, stats: undefined };
}
