import { chmod, mkdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts';

/** A folder that the platform keeps its state in, and one for its unix sockets: the same where its path is short enough. */
export interface DataDir {
  readonly path: string;
  readonly sockets: string;
  /** Removes what is temporary of them. */
  dispose(): Promise<void>;
}

/** The kernel takes 107 bytes of a socket's path (`sun_path`); this leaves 27 for its name in the folder. */
const SOCKET_FOLDER_BYTES = 80;
/** Short, and there on every system that we run on. */
const SHORT_TEMPORARY_FOLDER = '/tmp';

/** The folder at `path`, made when it is not there, readable by its owner alone (it holds the signing key). */
export async function openDataDir(path: string): Promise<DataDir> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o700);
  return withSockets(path, async () => {});
}

/** A fresh folder, removed with all that it holds by `dispose`; and by the next start, should we be killed. */
export async function createTemporaryDataDir(): Promise<DataDir> {
  const path = await createTemporaryFolder(tmpdir());
  return withSockets(path, () => removeFolder(path));
}

async function withSockets(path: string, dispose: () => Promise<void>): Promise<DataDir> {
  if (Buffer.byteLength(path) <= SOCKET_FOLDER_BYTES) return { path, sockets: path, dispose };
  const sockets = await createTemporaryFolder(SHORT_TEMPORARY_FOLDER);
  return {
    path,
    sockets,
    async dispose() {
      await removeFolder(sockets);
      await dispose();
    },
  };
}
