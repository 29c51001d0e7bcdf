import { printableLine } from '@yuanbot/contract';

/** Text of a tool for a message: one line, in which nothing can fake or hide a part of it. */
export const quoteText = printableLine;

/** The same for bytes; what is not UTF-8 becomes U+FFFD, and white space at either end goes. */
export function quoteBytes(bytes: Uint8Array): string {
  return quoteText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).trim());
}
