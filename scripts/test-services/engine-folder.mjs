// Everything an engine of the tests leaves: processes, mounts and files, all known by its folder's unique name.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeTree } from '../remove-tree.mjs';

export const ENGINE_FOLDER_PREFIX = 'yuanbot-engine-';

const KILL_DEADLINE_MS = 10_000; // a killed process is gone at once, unless the disk hangs
const POLL_MS = 50;
/** A folder that is younger may belong to an engine about to start (ms). */
const FORGOTTEN_AFTER_MS = 60 * 60_000;

/** Ends what is left of the engine's processes, unmounts what is mounted below the folder, and removes it. */
export async function clearEngineFolder(folder) {
  const deadline = performance.now() + KILL_DEADLINE_MS;
  for (let pids = processesOf(folder); pids.length > 0; pids = processesOf(folder)) {
    if (performance.now() > deadline) throw new Error(`These processes of ${folder} do not end: ${pids.join(', ')}`);
    for (const pid of pids) kill(pid);
    await sleep(POLL_MS);
  }
  removeTree(folder);
}

/** Removes the folders of runs that were killed before they could do it: old ones that no process belongs to. */
export function clearForgottenEngines() {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (!name.startsWith(ENGINE_FOLDER_PREFIX) || processesOf(folder).length > 0) continue;
    if (Date.now() - statSync(folder).mtimeMs > FORGOTTEN_AFTER_MS) removeTree(folder);
  }
}

/** The engine's programs name the folder in their arguments; the processes in containers sit in a cgroup named for their container. */
function processesOf(folder) {
  const containersFolder = join(folder, 'data/containers');
  const containers = existsSync(containersFolder) ? readdirSync(containersFolder) : [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const argv = readProc(pid, 'cmdline').split('\0');
    const isEngineProgram = /^(dockerd|containerd|runc|docker-)/.test(basename(argv[0] ?? ''));
    if (isEngineProgram && argv.some((argument) => argument.includes(folder))) return true;
    const cgroup = readProc(pid, 'cgroup');
    return containers.some((id) => cgroup.includes(id));
  });
}

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it ended while we looked
  }
}

function kill(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
