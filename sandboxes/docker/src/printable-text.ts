import { printableLine } from '@yuanbot/contract';

/** The first `maxChars` characters of `text`, escaped; what is left out is shown as `…`. */
export function printableHead(text: string, maxChars: number): string {
  const escaped = onOneLine(text.slice(0, maxChars));
  return escaped.length <= maxChars && text.length <= maxChars ? escaped : `${escaped.slice(0, maxChars - 1)}…`;
}

/** The last `maxChars` characters of `text`, escaped. */
export function printableTail(text: string, maxChars: number): string {
  const escaped = onOneLine(text.slice(-maxChars));
  return escaped.length <= maxChars && text.length <= maxChars
    ? escaped
    : `…${escaped.slice(Math.max(0, escaped.length - (maxChars - 1)))}`;
}

function onOneLine(text: string): string {
  return printableLine(text.trim().replaceAll('\t', ' '));
}
