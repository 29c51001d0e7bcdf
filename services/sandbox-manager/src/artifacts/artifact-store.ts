import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Digest } from '@yuanbot/kit/canonical';
import type { ArtifactStore } from '../execution/artifacts.ts';

export interface ArtifactStoreOptions {
  readonly folder: string;
  /** Bytes kept on disk at most; those not used for longest go first. */
  readonly maxBytes: number;
  readonly newId: () => string;
  readonly now: () => Date;
}

const DIGEST = /^sha256:([0-9a-f]{64})$/;

export async function createArtifactStore({ folder, maxBytes, newId, now }: ArtifactStoreOptions): Promise<ArtifactStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const waiting = new Map<string, Set<(data: Uint8Array) => void>>();
  /** Writes and evictions, one after another: none sees the other's half-done work. */
  let writing: Promise<unknown> = Promise.resolve();

  function fileOf(digest: string): string {
    const hex = DIGEST.exec(digest)?.[1];
    if (hex === undefined) throw new RangeError('an artifact digest is sha256: and 64 hexadecimal digits');
    return join(folder, hex);
  }

  /** Bytes that no longer match their name (a damaged disk, a meddling hand) are as good as absent. */
  async function get(digest: string): Promise<Uint8Array | undefined> {
    const file = fileOf(digest);
    try {
      const data = await readFile(file);
      if (sha256Digest(data) === digest) {
        await utimes(file, now(), now());
        return data;
      }
      await rm(file, { force: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return undefined;
  }

  function settle(digest: string, data: Uint8Array): void {
    for (const tell of waiting.get(digest) ?? []) tell(data);
    waiting.delete(digest);
  }

  async function write(digest: string, data: Uint8Array): Promise<boolean> {
    if ((await get(digest)) !== undefined) return true;
    const file = fileOf(digest);
    const partial = `${file}.${newId()}.partial`;
    const handle = await open(partial, 'wx', 0o600);
    try {
      await handle.writeFile(data);
      await handle.utimes(now(), now());
    } finally {
      await handle.close();
    }
    await rename(partial, file);
    await evict();
    return false;
  }

  async function evict(): Promise<void> {
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const { size, mtimeMs } = await stat(join(folder, name));
        return { name, size, mtimeMs };
      }),
    );
    let total = files.reduce((sum, file) => sum + file.size, 0);
    for (const { name, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= maxBytes) return;
      await rm(join(folder, name), { force: true });
      total -= size;
    }
  }

  return {
    get,
    async has(digest) {
      return (await stat(fileOf(digest)).catch(() => undefined)) !== undefined;
    },
    wait(digest, signal) {
      return new Promise((resolve, reject) => {
        const waiters = waiting.get(digest) ?? new Set();
        waiting.set(digest, waiters);
        const tell = (data: Uint8Array) => {
          signal.removeEventListener('abort', leave);
          resolve(data);
        };
        const leave = () => {
          waiters.delete(tell);
          if (waiters.size === 0 && waiting.get(digest) === waiters) waiting.delete(digest);
          reject(signal.reason);
        };
        if (signal.aborted) leave();
        else {
          waiters.add(tell);
          signal.addEventListener('abort', leave, { once: true });
        }
      });
    },
    async put(digest, data) {
      fileOf(digest);
      if (sha256Digest(data) !== digest) throw new RangeError(`the bytes are not those of ${digest}`);
      const written = writing.then(() => write(digest, data));
      writing = written.catch(() => undefined);
      const alreadyThere = await written;
      settle(digest, data);
      return alreadyThere;
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
