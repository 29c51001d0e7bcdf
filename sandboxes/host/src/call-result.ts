import { type Part, ToolCallError } from '@yuanbot/contract';
import { outputLimitError } from './call-errors.ts';

/**
 * Checks a result outside the process that made it. The worker has checked it already; what runs there may have
 * broken out and skipped that. Returns why it is refused, or undefined.
 */
export function refuseResult(contentJson: string, parts: readonly Part[], outputBytes: number): ToolCallError | undefined {
  let bytes = Buffer.byteLength(contentJson);
  for (const { mediaType, data, uri, name } of parts) bytes += mediaType.length + data.length + uri.length + name.length;
  if (bytes > outputBytes) return outputLimitError(outputBytes);
  try {
    JSON.parse(contentJson);
    return undefined;
  } catch {
    return new ToolCallError('ERR_OUTPUT_INVALID', 'The tool returned something that is not JSON.');
  }
}
