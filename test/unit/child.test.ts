// scripts/child.mjs: what `npm start` and `npm test` promise about signals and exit statuses.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const module = JSON.stringify(new URL('../../scripts/child.mjs', import.meta.url));

/** A process that runs one shell command through runChild and ends with its status. */
function runThrough(command: string, options = '{}'): ChildProcess {
  const program = `import { runChild } from ${module};
    process.exitCode = await runChild('sh', ['-c', ${JSON.stringify(command)}], ${options});`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function nextLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the output is not a pipe');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return line;
}

async function statusOf(child: ChildProcess): Promise<number | null> {
  const [status] = await once(child, 'exit');
  return status;
}

it('hands back the exit status', async () => {
  expect(await statusOf(runThrough('exit 7'))).toBe(7);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('hands on %s and waits for the child to end in its own way', async (signal) => {
  const name = signal.slice('SIG'.length);
  const child = runThrough(`trap 'exit 5' ${name}; echo ready; while :; do sleep 0.02; done`);
  await nextLine(child);
  const status = statusOf(child);
  child.kill(signal);
  expect(await status).toBe(5);
});

it('says 128 + n when signal n ended the child', async () => {
  expect(await statusOf(runThrough('kill -KILL $$'))).toBe(128 + 9);
});

it('kills a child that does not end in time after a signal, with its own children', async () => {
  const child = runThrough(`trap '' TERM; echo ready; while :; do sleep 0.02; done`, '{ killAfterMs: 50 }');
  await nextLine(child);
  const status = statusOf(child);
  child.kill('SIGTERM');
  expect(await status).toBe(128 + 9);
});

it('signals the whole group of a child whose shell would keep the signal from its program', async () => {
  // The inner shell is what is to end; the outer one waits for it, as npx's does.
  const program = `sh -c 'trap "echo ended; exit 5" TERM; echo ready; while :; do sleep 0.02; done'; :`;
  const child = runThrough(program, '{ wholeGroup: true, onOutput: () => {} }');
  const said = text(child.stdout ?? Readable.from([]));
  child.stdout?.once('data', () => child.kill('SIGTERM'));
  expect(await statusOf(child)).toBe(128 + 15);
  expect(await said).toBe('ready\nended\n');
});
