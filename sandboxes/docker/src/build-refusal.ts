import { ToolCallError } from '@yuanbot/contract';
import { printableHead } from './printable-text.ts';

/** What of a tool's own files stands in the way of building its image, as ERR_SANDBOX_START. `why` ends without a full stop. */
export function buildRefusal(why: string): ToolCallError {
  return new ToolCallError('ERR_SANDBOX_START', `The image cannot be built from the tool's files: ${why}.`);
}

/** Quoted of a tool's file in a refusal, in characters. */
const MAX_QUOTED = 120;

export function quoted(text: string): string {
  return `\`${printableHead(text, MAX_QUOTED)}\``;
}
