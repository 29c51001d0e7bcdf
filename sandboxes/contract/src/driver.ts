import type { ExecutorDescriptor, PermissionLevel, SandboxKind } from './executor.ts';
import type { Limits } from './limits.ts';
import type { Part, Step, StepAnswer, ToolCall } from './tool-protocol.ts';

/**
 * One sandbox technology. A driver knows its technology and the tool protocol, and nothing of
 * tokens, gRPC or what tools mean.
 *
 * Promises every driver keeps, checked by `test/conformance`:
 * - `run` may be called any number of times at once; calls share no state.
 * - `run` and `prepare` reject with nothing but a `ToolCallError`.
 * - An aborted `signal` ends the tool (its process, thread or container) before `run` rejects with
 *   ERR_CANCELLED; a signal aborted beforehand runs nothing.
 * - When `run` has settled, nothing of that call is left running.
 * - After `close`, nothing of the driver is left, and every call in flight has been rejected.
 */
export interface SandboxDriver {
  readonly kind: SandboxKind;

  /** Looks now, not in a cache: is the sandbox there, and what isolation is observed. Never rejects. */
  describe(): Promise<SandboxStatus>;

  /**
   * Makes ready what can be made ready before a call (builds an image, compiles a module, parses a
   * script), so that a broken tool is known before somebody needs it. Idempotent.
   * Rejects with ERR_SANDBOX_START and the cause in words, or ERR_SANDBOX_UNAVAILABLE.
   */
  prepare(executable: Executable, signal: AbortSignal): Promise<void>;

  /** Runs one call to its end. */
  run(execution: Execution): Promise<ExecutionOutcome>;

  close(): Promise<void>;
}

/** A descriptor together with the bytes that its digests name. */
export interface Executable {
  readonly descriptor: ExecutorDescriptor;
  /** `sha256:<hex>` of the canonical descriptor: the key to cache by. */
  readonly digest: string;
  /** The artifact's bytes; undefined exactly when `descriptor.artifact` is empty. */
  readonly artifact: Uint8Array | undefined;
  /** Content of every file in `descriptor.resources`, by path. */
  readonly resources: ReadonlyMap<string, Uint8Array>;
}

export interface Execution {
  readonly executable: Executable;
  readonly call: ToolCall;
  readonly permissionLevel: PermissionLevel;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /**
   * Has the platform perform a step for the tool. A rejection ends the call with the error's code:
   * the driver must not hand it to the tool, which could swallow it.
   */
  performStep(step: Step): Promise<StepAnswer>;
  /**
   * Called once, when the tool's code is about to get its call: from here on it may have had an effect. A call that
   * ends before this has run nothing, and a retry may run it.
   */
  onStarted(): void;
}

export interface ExecutionOutcome {
  /** The tool's result as JSON text, at most `limits.outputBytes` bytes of UTF-8. */
  readonly contentJson: string;
  readonly parts: readonly Part[];
  readonly stats: ExecutionStats;
}

export interface ExecutionStats {
  /** Waited for a free sandbox, in ms. */
  readonly queueMs: number;
  /** From having a place to the tool's first instruction, in ms. */
  readonly startMs: number;
  /** The tool itself, in ms. */
  readonly runMs: number;
  /** 0 where the technology cannot tell per call. */
  readonly peakMemoryBytes: number;
  /** True when the sandbox existed before the call. */
  readonly warm: boolean;
  readonly steps: number;
  /** As observed, e.g. `runc`, `runsc`, `bubblewrap`, `process`. */
  readonly isolation: string;
}

export interface SandboxStatus {
  readonly kind: SandboxKind;
  readonly available: boolean;
  /** As observed; empty when not available. */
  readonly isolation: string;
  /** Why it is not available, and how to get it; empty when it is. */
  readonly reason: string;
  /** Sandboxes that wait for a call, that run one, and the most that may exist. */
  readonly warm: number;
  readonly busy: number;
  readonly capacity: number;
}
