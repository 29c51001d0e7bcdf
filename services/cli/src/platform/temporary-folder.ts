import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone, type ProcessIdentity, parseIdentity, readOwnIdentity, writeIdentity } from './process-identity.ts';

const PREFIX = 'yuanbot-';
/** In each of them: the process that made it. Written before anything else. */
const OWNER_FILE = 'owner.json';

/**
 * A fresh folder in `parent`, of its owner alone. A process that is killed outright leaves its folder, with a signing key in
 * it: so each new one removes those in the same place whose makers are no more.
 */
export async function createTemporaryFolder(parent: string): Promise<string> {
  const us = await readOwnIdentity();
  const path = await mkdtemp(join(parent, PREFIX));
  await writeFile(join(path, OWNER_FILE), writeIdentity(us), { mode: 0o600, flag: 'wx' });
  await removeForgotten(parent, us, (await lstat(path)).uid);
  return path;
}

export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

/** Only what this user's process made as above, and is known to have left behind: anything else is somebody's. */
async function removeForgotten(parent: string, us: ProcessIdentity, uid: number): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(parent, name);
    try {
      const stats = await lstat(path);
      if (!stats.isDirectory() || stats.uid !== uid) continue;
      const owner = parseIdentity(await readFile(join(path, OWNER_FILE), 'utf8'));
      if (owner !== undefined && (await isGone(owner, us))) await removeFolder(path);
    } catch (error) {
      if (!isOfTheFileSystem(error)) throw error;
    }
  }
}

/**
 * Nothing that a start may fail for: it is no folder of ours, another start removes it just now, or its services still write
 * to it while they end. What is left is found by the next start.
 */
function isOfTheFileSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
