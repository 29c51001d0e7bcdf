import type { Terminal } from './terminal/terminal.ts';

/** Everything of the process that the client may touch; made in `main.ts`. */
export interface World {
  /** The command line after the program's own name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The project's folder: where a platform is started from. */
  readonly root: string;
  readonly nodePath: string;
  readonly version: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** Aborted by the first signal that asks us to end; its reason is the signal's name. */
  readonly interrupted: AbortSignal;
  /** Aborted by the second: waiting is over. */
  readonly forced: AbortSignal;
}
