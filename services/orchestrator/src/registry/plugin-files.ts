import type { Problem } from './model.ts';

/**
 * What the registry needs of the place plugins are kept in. Paths are relative to the source's root, with forward
 * slashes. Nothing outside the root can be named or reached, and only regular files are read; whatever is refused
 * rejects with a `PluginFileError`, which says what to do.
 */
export interface PluginFiles {
  /** What is directly in a folder, by name; empty when the folder is not there. Names that begin with a dot are left out. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  /** Every regular file below a folder, relative to it, sorted; empty when the folder is not there. */
  walk(folder: string): Promise<readonly string[]>;
  /** Text of a UTF-8 file without its byte order mark; undefined when there is no such file. */
  readText(path: string, maxBytes: number): Promise<string | undefined>;
  /** Undefined when there is no such file. */
  readBytes(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /**
   * The folder as a docker build context: a tar whose bytes depend on names, contents and executable bits alone, without
   * what its `.dockerignore` excludes. Undefined when there is no such folder.
   */
  packFolder(folder: string): Promise<Uint8Array | undefined>;
}

export interface FolderEntry {
  readonly name: string;
  /** `refused`: a link that leads out of the root or nowhere, or a special file. */
  readonly kind: 'file' | 'folder' | 'refused';
}

/** A file that cannot be used as it is. */
export class PluginFileError extends Error {
  override readonly name = 'PluginFileError';
  readonly mend: string;
  /** 1-based line in the file itself; 0 when the trouble is not of one line. */
  readonly line: number;

  constructor(message: string, mend: string, line = 0, options?: ErrorOptions) {
    super(message, options);
    this.mend = mend;
    this.line = line;
  }
}

/** The error as a problem of `file`; whatever else was thrown is thrown on. */
export function fileProblem(error: unknown, file: string): Problem {
  if (!(error instanceof PluginFileError)) throw error;
  return { severity: 'error', file, line: error.line, message: error.message, mend: error.mend };
}
