import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

/** Unmounts what is mounted below a folder of ours, then removes it: never a file of what was mounted there. */
export function removeTree(folder) {
  for (const mount of mountsBelow(folder).reverse()) spawnSync('umount', ['--lazy', mount], { stdio: 'inherit' });
  const left = mountsBelow(folder);
  if (left.length > 0) throw new Error(`${folder} is not removed: still mounted there are ${left.join(', ')}`);
  rmSync(folder, { recursive: true, force: true });
}

function mountsBelow(folder) {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((mount) => mount.startsWith(`${folder}/`));
}
