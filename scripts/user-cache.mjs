import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder where one run of the tests leaves what the next may use, per user (XDG base directories). */
export function userCache() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'yuanbot');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
