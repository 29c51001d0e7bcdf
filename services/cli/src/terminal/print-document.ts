import { printableJson, printableText } from '@yuanbot/contract';
import type { Terminal } from './terminal.ts';

/**
 * Prints one JSON document. Numbers that were parsed with `parseKeepingNumbers` are written as they came; characters that
 * could do something to a screen are written as JSON's escapes, which say the same.
 */
export function printJson(terminal: Terminal, document: unknown): void {
  terminal.write(`${printableJson(JSON.stringify(document, null, 2))}\n`);
}

/** Prints text of others: made harmless for a screen, and as it is into a file or pipe. Ends with a line break. */
export function printForeignText(terminal: Terminal, text: string): void {
  const shown = terminal.isTty ? printableText(text) : text;
  terminal.write(shown.endsWith('\n') ? shown : `${shown}\n`);
}
