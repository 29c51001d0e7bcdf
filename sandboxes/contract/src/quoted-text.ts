import { printableText } from './printable-text.ts';

/** The longest message of a tool that is passed on, in UTF-16 units: enough for a sentence, not for a dump. */
const MAX_TOOL_MESSAGE = 2_000;

/** What a tool itself said about its failure, as every sandbox passes it on: printable, not long, never empty. */
export function toolMessage(said: unknown): string {
  return typeof said === 'string' && said !== '' ? quoted(said, MAX_TOOL_MESSAGE) : 'The tool failed without a message.';
}

/** Text of a tool within a sentence of ours: printable, at most `maxLength` UTF-16 units of it; what is cut off is counted. */
export function quoted(text: string, maxLength = 120): string {
  const shown = printableText(head(text, maxLength));
  if (shown.length <= maxLength && text.length <= maxLength) return shown;
  return `${head(shown, maxLength)}… (${text.length} characters)`;
}

/** The first `length` units, less the half of a pair that would be the last. */
function head(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, text.length > length ? '' : '$&');
}
