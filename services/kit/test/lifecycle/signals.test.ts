import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';

const SERVICE = new URL('./stopping-service.ts', import.meta.url).pathname;
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A real process with one call in flight; `lines` are what it says, `ended` resolves to its exit code. */
async function startService(call: 'ends' | 'hangs') {
  const child = spawn(process.execPath, [SERVICE, call], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const says = async (): Promise<string> => (await lines.next()).value ?? '';
  expect(await says()).toBe('running');
  return { child, says, ended };
}

describe('a process with signal handlers', { timeout: 30_000 }, () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('finishes its call after %s and ends with 0', async (signal) => {
    const { child, says, ended } = await startService('ends');
    child.kill(signal);
    expect(await says()).toBe('draining');
    expect(await says()).toBe('stopped abandoned=0 forced=false');
    expect(await ended).toBe(0);
  });

  it('is forced by a second signal of either kind and ends with 1', async () => {
    const { child, says, ended } = await startService('hangs');
    child.kill('SIGTERM');
    expect(await says()).toBe('draining');
    child.kill('SIGINT');
    expect(await says()).toBe('stopped abandoned=1 forced=true');
    expect(await ended).toBe(1);
  });
});
