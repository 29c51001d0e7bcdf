import type { ErrorCode, ExecutionStats, Part, SandboxKind } from '@yuanbot/contract';
import type { Locale } from '../messages/catalogue.ts';

/** One tool call as a caller asks for it. */
export interface ToolCallRequest {
  readonly toolId: string;
  /** The caller's idempotency key; empty: the platform makes an id and remembers nothing. */
  readonly invocationId: string;
  readonly paramsJson: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly roles: readonly string[];
  /** May only shorten the tool's own time-out; 0: the tool's own. */
  readonly timeoutMs: number;
  readonly locale: Locale;
}

/** Whose credentials the request came with. Invocation ids are scoped to it. */
export interface Caller {
  readonly id: string;
}

/** What came of a call: a result, or a code of the closed list with a sentence for the model. */
export interface ToolCallOutcome {
  readonly invocationId: string;
  readonly toolId: string;
  /** JSON text; undefined when the call failed. */
  readonly contentJson: string | undefined;
  readonly parts: readonly Part[];
  readonly error: { readonly code: ErrorCode; readonly message: string } | undefined;
  readonly stats: ToolCallStats;
}

export interface ToolCallStats {
  /** Undefined when the call ended before a sandbox was chosen. */
  readonly sandbox: SandboxKind | undefined;
  /** Undefined when no sandbox ran it. */
  readonly execution: ExecutionStats | undefined;
  /** From the request's arrival to its answer, in ms. */
  readonly totalMs: number;
  /** True when it ran in its fallback sandbox. */
  readonly fallback: boolean;
}
