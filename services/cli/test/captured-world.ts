import { Readable } from 'node:stream';
import { createTerminal } from '../src/terminal/terminal.ts';
import type { World } from '../src/world.ts';

/** A world whose two streams are kept, for a command line that runs in this process. */
export function capturedWorld(args: readonly string[], overrides: Partial<World> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const stream = (into: string[]) => createTerminal({ write: (text) => into.push(String(text)) }, {});
  const never = new AbortController().signal;
  const world: World = {
    args,
    env: {},
    cwd: '/',
    root: '/nowhere',
    nodePath: process.execPath,
    version: '1.2.3',
    stdin: Readable.from([]),
    stdout: stream(out),
    stderr: stream(err),
    interrupted: never,
    forced: never,
    ...overrides,
  };
  return { world, stdout: () => out.join(''), stderr: () => err.join('') };
}
