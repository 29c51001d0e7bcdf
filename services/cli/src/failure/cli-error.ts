import type { ExitCode } from './exit-code.ts';

export interface CliErrorOptions extends ErrorOptions {
  /** What to do about it; printed under the message. */
  readonly hint?: string | undefined;
}

/** A failure that the person at the terminal is told of, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  /** A name that a script can switch on: an error code of a call, the name of a gRPC status, or one of ours. */
  readonly code: string;
  readonly hint: string | undefined;

  constructor(exitCode: ExitCode, code: string, message: string, options: CliErrorOptions = {}) {
    super(message, options);
    this.exitCode = exitCode;
    this.code = code;
    this.hint = options.hint;
  }
}
