import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { dockerSocket, ROOT } from './test-platform.ts';

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The client as a process of its own, with the engine that the set-up started. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [join(ROOT, 'services/cli/src/main.ts'), ...args], {
    env: { ...process.env, NO_COLOR: '1', YUANBOT_CAPABILITIES__SANDBOX__DOCKER__SOCKET: dockerSocket(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Resolves when the process is gone and both outputs have ended. */
export async function finished(cli: ChildProcess): Promise<CliRun> {
  const { stdout, stderr } = cli;
  if (stdout === null || stderr === null) throw new Error('the client was started without pipes');
  const [out, err] = await Promise.all([text(stdout), text(stderr), cli.exitCode ?? once(cli, 'close')]);
  return { exitCode: cli.exitCode, stdout: out, stderr: err };
}

/** Runs a command line to its end. */
export function runCli(args: readonly string[], env?: Readonly<Record<string, string>>, stdin = ''): Promise<CliRun> {
  const cli = startCli(args, env);
  cli.stdin?.end(stdin);
  return finished(cli);
}

/** Follows an output; `until` resolves when `part` has been said, and rejects when the output ends without it. */
export function listenTo(output: NodeJS.ReadableStream | null) {
  if (output === null) throw new Error('the client was started without pipes');
  let said = '';
  const heard = new EventEmitter();
  output.on('data', (chunk) => {
    said += chunk;
    heard.emit('more');
  });
  output.on('end', () => heard.emit('error', new Error(`it ended, and said only: ${said}`)));
  heard.on('error', () => {});
  return {
    text: () => said,
    async until(part: string): Promise<void> {
      while (!said.includes(part)) await once(heard, 'more');
    },
  };
}
