import { type Pack, pack } from 'tar-stream';
import { PluginFileError } from '../registry/plugin-files.ts';
import { decodeText } from './decode-text.ts';
import { createDockerignore } from './dockerignore.ts';
import type { ResolveInside } from './inside-root.ts';
import { readRegularFile } from './read-file.ts';
import { walkFolder } from './walk-folder.ts';

/** A build context, in bytes: it is held in memory while it is digested and sent. */
const MAX_CONTEXT_BYTES = 64 * 1024 * 1024;
const MAX_DOCKERIGNORE_BYTES = 16 * 1024;

/** One time stamp, one owner, two modes: the tar's bytes, and so its digest, say nothing of the machine it was made on. */
const EPOCH = new Date(0);
const FILE_MODE = 0o644;
const EXECUTABLE_MODE = 0o755;

/** The folder as a deterministic tar; undefined when it is not there or holds nothing. */
export async function packFolder(resolve: ResolveInside, folder: string): Promise<Uint8Array | undefined> {
  const paths = walkFolder(resolve, folder, dockerignoreOf(resolve, folder));
  if (paths.length === 0) return undefined;
  const stream = pack();
  const collected = bytesOf(stream);
  try {
    let total = 0;
    for (const path of paths) {
      const { bytes, executable } = readListed(resolve, `${folder}/${path}`, MAX_CONTEXT_BYTES - total);
      total += bytes.length;
      stream.entry({ name: path, mode: executable ? EXECUTABLE_MODE : FILE_MODE, mtime: EPOCH, uid: 0, gid: 0 }, bytes);
    }
    stream.finalize();
  } catch (error) {
    stream.destroy();
    await collected.catch(() => undefined); // Only that it was destroyed, which we did.
    throw error;
  }
  return await collected;
}

async function bytesOf(stream: Pack): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('tar-stream gave something other than bytes');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function dockerignoreOf(resolve: ResolveInside, folder: string): (path: string) => boolean {
  const path = `${folder}/.dockerignore`;
  const real = resolve(path);
  const file = real === undefined ? undefined : readRegularFile(real, path, MAX_DOCKERIGNORE_BYTES);
  return file === undefined ? () => false : createDockerignore(decodeText(file.bytes, path));
}

function readListed(resolve: ResolveInside, path: string, maxBytes: number): { bytes: Buffer; executable: boolean } {
  const real = resolve(path);
  const file = real === undefined ? undefined : readRegularFile(real, path, maxBytes);
  if (file === undefined) {
    throw new PluginFileError(`\`${path}\` went away while the build context was read.`, 'Save the plugin again.');
  }
  return file;
}
