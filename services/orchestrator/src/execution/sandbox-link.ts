import type { ErrorCode, ExecutionStats, ExecutorDescriptor, Part } from '@yuanbot/contract';

/** The way to the sandbox manager, as the domain sees it. The edge `grpc/sandbox-link.ts` is one. */
export interface SandboxLink {
  /**
   * Hands a call over and waits for its end. Never rejects: a link that is down or breaks is an outcome, too. Aborting
   * `signal` has the tool ended; the outcome still comes.
   */
  execute(call: LinkCall, signal: AbortSignal): Promise<LinkOutcome>;
  /** Has a tool made ready. Never rejects. */
  prepare(executor: ExecutorDescriptor, token: string, signal: AbortSignal): Promise<PrepareOutcome>;
}

export interface LinkCall {
  readonly toolId: string;
  readonly invocationId: string;
  readonly paramsJson: string;
  readonly token: string;
  readonly executor: ExecutorDescriptor;
}

export interface LinkOutcome {
  /** `lost`: the link broke while the call ran; whether it had an effect is not known. */
  readonly disposition: 'ran' | 'not_run' | 'conflict' | 'forgotten' | 'lost';
  readonly contentJson: string;
  readonly parts: readonly Part[];
  readonly error: { readonly code: ErrorCode; readonly message: string } | undefined;
  readonly stats: ExecutionStats | undefined;
}

export type PrepareOutcome =
  | { readonly ready: true }
  | { readonly ready: false; readonly code: ErrorCode; readonly message: string };
