import { printableJson, printableText } from '@yuanbot/contract';
import type { Terminal } from './terminal.ts';

/** Tells whoever waits what is going on: on stderr, as a sentence or as a line `{"progress":"…"}`. It may quote logs and paths. */
export function printProgress(stderr: Terminal, sentence: string, json: boolean): void {
  const line = json ? printableJson(JSON.stringify({ progress: sentence })) : stderr.colors.dim(printableText(sentence));
  stderr.write(`${line}\n`);
}
