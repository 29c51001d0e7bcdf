import { ToolCallError } from '@yuanbot/contract';
import { messageOf } from './thrown-message.ts';

/**
 * Writes what a tool returned as JSON text; `undefined` is null. What JSON cannot hold is ERR_OUTPUT_INVALID and
 * never left out in silence: functions, symbols, BigInt, NaN and infinities, cycles.
 */
export function encodeContent(content: unknown): string {
  if (content === undefined) return 'null';
  let text: string | undefined;
  try {
    text = JSON.stringify(content, refuseUnfit);
  } catch (error) {
    if (error instanceof ToolCallError) throw error;
    // A cycle, nesting that is too deep, or a getter or `toJSON` of the tool that threw. V8 draws the cycle in
    // further lines, which are of no use to a model.
    const [firstLine = ''] = messageOf(error).split('\n');
    throw new ToolCallError('ERR_OUTPUT_INVALID', `The tool's result cannot be written as JSON: ${firstLine}`);
  }
  // Only a `toJSON` that gives undefined leads here.
  return text ?? 'null';
}

function refuseUnfit(key: string, value: unknown): unknown {
  switch (typeof value) {
    case 'function':
    case 'symbol':
      throw unfit(key, `a ${typeof value}`, 'return plain data');
    case 'bigint':
      throw unfit(key, 'a BigInt', 'return it as text, or as a number if it is small enough');
    case 'number':
      if (!Number.isFinite(value)) throw unfit(key, String(value), 'return null or a text instead');
      return value;
    default:
      return value;
  }
}

function unfit(key: string, what: string, mend: string): ToolCallError {
  const where = key === '' ? 'The tool returned' : `The tool returned, as ${JSON.stringify(key.slice(0, 60))},`;
  return new ToolCallError('ERR_OUTPUT_INVALID', `${where} ${what}, which JSON cannot hold; ${mend}.`);
}
