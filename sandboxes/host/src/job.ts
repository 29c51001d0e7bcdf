import type { ExecutionOutcome, Step, StepAnswer, ToolCallError } from '@yuanbot/contract';
import type { Program, RuntimeCall } from './runtime-contract.ts';

/** What a call is told, without the power to perform steps. */
export type HostedCall = Omit<RuntimeCall, 'performStep'>;

export interface RunOptions {
  /** Wall time of the tool itself, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** A rejection ends the call with the error's code; the tool never sees it. */
  performStep(step: Step): Promise<StepAnswer>;
  /** Once, when the tool's code is about to get its call. */
  onStarted?(): void;
}

/** A call, or the preparing of a program, on its way through the pool. */
export interface Job {
  /** Its number on the links; unique in the pool. */
  readonly number: number;
  readonly program: Program;
  readonly memoryMb: number;
  readonly classMb: number;
  /** Undefined when the program is only to be prepared. */
  readonly work: { readonly call: HostedCall; readonly options: RunOptions } | undefined;
  /** By `performance.now()`. */
  queuedAt: number;
  /** Total time in the queue so far, in ms. */
  queueMs: number;
  /** Host processes that died under it through no known fault of its own. */
  deaths: number;
  /** Steps asked for so far; with one taken, the call is never run again. */
  steps: number;
  /** True once `onStarted` was called. */
  started: boolean;
  /** Settles the caller's promise and lets go of the signal; only the first of the two counts. */
  resolve(outcome: ExecutionOutcome | undefined): void;
  reject(error: ToolCallError): void;
}
