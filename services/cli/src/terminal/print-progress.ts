import type { Terminal } from './terminal.ts';

/** Tells whoever waits what is going on: on stderr, as a sentence or as a line `{"progress":"…"}`. */
export function printProgress(stderr: Terminal, sentence: string, json: boolean): void {
  stderr.write(json ? `${JSON.stringify({ progress: sentence })}\n` : `${stderr.colors.dim(sentence)}\n`);
}
