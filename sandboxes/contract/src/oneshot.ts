import { ToolCallError } from './errors.ts';
import { envelopeLine, parseToolLine, type Step, type StepAnswer, type ToolCall, type ToolResult } from './tool-protocol.ts';

/**
 * The `oneshot` protocol: the tool is started fresh for each line, and started again with the answer
 * after each step (seed 002, `execute_loop`). `runOnce` starts it, gives it one line, and resolves to
 * the one line it printed.
 */
export async function converseOneshot(
  call: ToolCall,
  runOnce: (line: string) => Promise<string>,
  performStep: (step: Step) => Promise<StepAnswer>,
): Promise<{ result: ToolResult; steps: number }> {
  let answer: StepAnswer | undefined;
  for (let steps = 0; ; steps++) {
    const message = parseToolLine(await runOnce(envelopeLine(call, answer)));
    if (message.type === 'result') return { result: message, steps };
    answer = await performStep(message);
  }
}

/**
 * Takes the single protocol line out of everything a tool printed. Blank lines around it are
 * tolerated, nothing else is: a second line means that the tool and we disagree on what its result is.
 */
export function singleLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const [line, second] = lines;
  if (line === undefined) throw new ToolCallError('ERR_OUTPUT_INVALID', 'The tool ended without printing a result line.');
  if (second !== undefined) {
    throw new ToolCallError('ERR_OUTPUT_INVALID', 'The tool printed more than one line on stdout; notes belong on stderr.');
  }
  return line;
}
