import { parseToolLine, singleLine, ToolCallError } from '@yuanbot/contract';
import { printableTail } from './printable-text.ts';
import type { Answer } from './waiting-container.ts';

/** Quoted of stderr in a message, in characters. */
const MAX_STDERR = 500;

/**
 * The protocol line that an exited container answered with. A valid line counts whatever the exit code
 * is: a tool that prints its error line and exits 1 has said what is wrong. Otherwise throws
 * ERR_SANDBOX_MEMORY, ERR_TOOL_FAILED (exit code and the end of stderr), or ERR_OUTPUT_INVALID.
 */
export function lineOf(answer: Answer): string {
  const failure = failureOf(answer);
  try {
    const line = singleLine(decode(answer.stdout));
    if (failure !== undefined) assertProtocolLine(line);
    return line;
  } catch (error) {
    throw failure ?? error;
  }
}

function failureOf({ oomKilled, exitCode, stderr }: Answer): ToolCallError | undefined {
  if (oomKilled) return new ToolCallError('ERR_SANDBOX_MEMORY', 'The tool needed more memory than it may use and was ended.');
  if (exitCode === 0) return undefined;
  const tail = printableTail(stderr, MAX_STDERR);
  return new ToolCallError(
    'ERR_TOOL_FAILED',
    `The tool ended with exit code ${exitCode}${tail === '' ? ' and said nothing on stderr.' : `: ${tail}`}`,
  );
}

/** An error line is of the protocol: its own error is for the conversation to throw. */
function assertProtocolLine(line: string): void {
  try {
    parseToolLine(line);
  } catch (error) {
    if (error instanceof ToolCallError && error.code === 'ERR_OUTPUT_INVALID') throw error;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ToolCallError('ERR_OUTPUT_INVALID', 'The tool printed something that is not UTF-8.', { cause: error });
  }
}
