#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runCli } from './cli.ts';
import { createTerminal } from './terminal/terminal.ts';

const interrupted = new AbortController();
const forced = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => (interrupted.signal.aborted ? forced : interrupted).abort(signal));
}

// `list | head` closes the pipe when it has seen enough, and a terminal may be closed: no failure, and nobody is left to tell.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    interrupted.abort(error.code);
  });
}

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

process.exitCode = await runCli({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  nodePath: process.execPath,
  version,
  stdin: process.stdin,
  stdout: createTerminal(process.stdout, process.env),
  stderr: createTerminal(process.stderr, process.env),
  interrupted: interrupted.signal,
  forced: forced.signal,
});
