/** What of the machine and the process decides about defaults and relative paths. */
export interface Surroundings {
  /** Absolute; relative paths of folders are taken here. */
  readonly cwd: string;
  /** Absolute; the platform's own files, and its sockets unless they are written with an absolute path. */
  readonly dataDir: string;
  /** Processor cores this process may use: sizes the default pools. */
  readonly cores: number;
}
