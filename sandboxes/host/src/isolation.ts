import { readlink } from 'node:fs/promises';

/**
 * How a host process is started, and what holds around it. The one place to change for another level: what is
 * spawned inherits the sockets above stderr and gets the environment it is given, whatever wraps it.
 */
export interface Isolation {
  /** The command line that runs `argv` (its first element an absolute path) inside this isolation. */
  wrap(argv: readonly string[]): { readonly file: string; readonly args: readonly string[] };
  /** Looks at a running host process and names the level it sees; empty when it cannot see one. */
  observe(pid: number): Promise<string>;
}

/** A process of its own, with an empty environment, and nothing around it: files and network stay reachable to it. */
export function createProcessIsolation(): Isolation {
  return {
    wrap([file = '', ...args]) {
      return { file, args };
    },
    async observe(pid) {
      try {
        await readlink(`/proc/${pid}/exe`);
        return 'process';
      } catch {
        return '';
      }
    },
  };
}
