import { parseToolLine, singleLine, ToolCallError } from '@yuanbot/contract';
import type { InstanceRun } from './instance.ts';
import { quoteBytes } from './quote.ts';

/**
 * What a finished run means: the one protocol line that it printed, or a `ToolCallError`.
 *
 * | the instance | is |
 * |---|---|
 * | printed more than it may | ERR_OUTPUT_LIMIT |
 * | trapped, memory nearly used up | ERR_SANDBOX_MEMORY |
 * | trapped | ERR_SANDBOX_CRASHED |
 * | exited with a code, a valid line printed | its line |
 * | exited with a code, memory nearly used up | ERR_SANDBOX_MEMORY |
 * | exited with a code | ERR_TOOL_FAILED |
 * | returned, or exited with 0 | its line, or ERR_OUTPUT_INVALID |
 */
export function readRun(run: InstanceRun, outputBytes: number): string {
  const { ending } = run;
  switch (ending.kind) {
    case 'output-limit':
      throw new ToolCallError('ERR_OUTPUT_LIMIT', `The tool printed more than the ${outputBytes} bytes it may.`);
    case 'trapped':
      throw ranOutOfMemory(run)
        ? memoryError(run)
        : new ToolCallError('ERR_SANDBOX_CRASHED', `The tool crashed: ${ending.why}. ${usage(run)}${diagnosis(run)}`);
    case 'exited':
      return ending.code === 0 ? singleLine(decode(run.stdout)) : lineDespite(ending.code, run);
    case 'returned':
      return singleLine(decode(run.stdout));
  }
}

/** Some libcs exit with a code after a result too; only a line that is not of the protocol is a failure. */
function lineDespite(code: number, run: InstanceRun): string {
  try {
    const line = singleLine(decode(run.stdout));
    parseToolLine(line);
    return line;
  } catch (error) {
    if (error instanceof ToolCallError && error.code !== 'ERR_OUTPUT_INVALID') throw error;
    throw ranOutOfMemory(run)
      ? memoryError(run)
      : new ToolCallError('ERR_TOOL_FAILED', `The tool exited with code ${code} and no result.${diagnosis(run)}`, {
          cause: error,
        });
  }
}

/** The part of the memory that must be left for an ending to be blamed on something else. */
const NEARLY = 1 / 8;

/** What the runtimes of Rust, Go, C++ and AssemblyScript print when an allocation fails. */
const ALLOCATION_FAILED = /memory allocation of \d+ bytes failed|out of memory|std::bad_alloc|cannot allocate memory/i;

/**
 * Growth that is refused leaves no trace outside the module, so this is told from what is left: memory within an eighth of
 * the limit, or a language runtime that said so. It cannot see a C tool that asks for far more than is left, at once, and
 * aborts without a word: that one is ERR_SANDBOX_CRASHED, with the memory that it had in the message. And a tool that
 * fails for another reason with its memory nearly full is called out of memory.
 */
function ranOutOfMemory({ memoryBytes, memoryLimitBytes, stderr }: InstanceRun): boolean {
  return memoryBytes > memoryLimitBytes * (1 - NEARLY) || ALLOCATION_FAILED.test(quoteBytes(stderr.bytes));
}

function memoryError(run: InstanceRun): ToolCallError {
  return new ToolCallError('ERR_SANDBOX_MEMORY', `The tool ran out of memory. ${usage(run)}${diagnosis(run)}`);
}

function usage({ memoryBytes, memoryLimitBytes }: InstanceRun): string {
  return `It had ${inMib(memoryBytes)} of the ${inMib(memoryLimitBytes)} MiB of memory it may use.`;
}

function inMib(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}

function diagnosis({ stderr }: InstanceRun): string {
  const text = quoteBytes(stderr.bytes);
  return text === '' ? '' : ` It wrote on stderr: ${stderr.cut ? '…' : ''}${text}`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ToolCallError('ERR_OUTPUT_INVALID', 'The tool printed something that is not UTF-8.', { cause: error });
  }
}
