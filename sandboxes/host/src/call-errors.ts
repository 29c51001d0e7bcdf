import { ToolCallError } from '@yuanbot/contract';

/** What a call ends with when the sandbox, not the tool's own code, ends it. */

export function memoryError(memoryMb: number): ToolCallError {
  return new ToolCallError(
    'ERR_SANDBOX_MEMORY',
    `The tool used more than its limit of ${memoryMb} MiB of memory and was stopped.`,
  );
}

export function timeoutError(timeoutMs: number): ToolCallError {
  return new ToolCallError('ERR_SANDBOX_TIMEOUT', `The tool did not finish within its limit of ${timeoutMs} ms and was stopped.`);
}

export function cancelledError(): ToolCallError {
  return new ToolCallError('ERR_CANCELLED', 'The call was cancelled.');
}

export function processDiedError(): ToolCallError {
  return new ToolCallError('ERR_SANDBOX_CRASHED', 'The sandbox process that ran the tool died under it.');
}

export function threadDiedError(): ToolCallError {
  return new ToolCallError('ERR_SANDBOX_CRASHED', 'The tool brought its sandbox thread down; it was started anew.');
}

export function outputLimitError(outputBytes: number): ToolCallError {
  return new ToolCallError('ERR_OUTPUT_LIMIT', `The tool's result is above its limit of ${outputBytes} bytes; ask it for less.`);
}

/** To prepare is to start: what goes wrong in the program's own first instructions is a start that failed. */
export function asStartError(error: unknown): unknown {
  if (!(error instanceof ToolCallError)) return error;
  if (error.code !== 'ERR_SANDBOX_MEMORY' && error.code !== 'ERR_SANDBOX_CRASHED') return error;
  return new ToolCallError('ERR_SANDBOX_START', `The tool's program could not be made ready: ${error.message}`, { cause: error });
}
