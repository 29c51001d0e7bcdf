// The image node:26-bookworm-slim for the tests: pulled when a registry answers, else a stand-in made of
// Debian's own packages and the Node that the lockfile pins, laid out like the real image.
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, createReadStream, existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '../remove-tree.mjs';
import { SetupFailure } from '../setup-failure.mjs';
import { userCache } from '../user-cache.mjs';
import { debianMirror } from './debian-mirror.mjs';
import { hasImage, importImage, pullImage } from './engine-api.mjs';

const NAME = 'node';
const TAG = '26-bookworm-slim';
const SUITE = 'bookworm';
const ADDED = 'libatomic1'; // Node 26 is linked with it
/** Counts up with every change to how the root is made: a cached one of an older recipe is not used. */
const RECIPE = 2;
const MAX_OUTPUT_BYTES = 64 * 2 ** 20; // debootstrap names every package several times
const SHOWN_OUTPUT_CHARS = 2_000; // the cause is at the end
/** What a container never needs; the real image has no such files either. */
const REMOVED = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'var/log',
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/info',
];

/**
 * Makes sure that the engine has node:26-bookworm-slim.
 * @param {string} socket the engine's
 * @param {string} node the pinned Node's program file
 * @param {AbortSignal} signal ends the making
 * @throws {SetupFailure}
 */
export async function provideNodeImage(socket, node, signal) {
  if (await hasImage(socket, `${NAME}:${TAG}`)) return;
  const refusal = await pullImage(socket, NAME, TAG);
  if (refusal === '') return;
  console.log(`${NAME}:${TAG} cannot be pulled (${refusal}); a stand-in is made of Debian's packages.`);
  const version = (await run(signal, node, '--version')).trim();
  const root = join(userCache(), `node-image-${SUITE}-${version}-r${RECIPE}.tar`);
  if (!existsSync(root)) await makeRoot(root, node, signal);
  const changes = [
    'CMD ["node"]',
    `ENV NODE_VERSION=${version.slice(1)}`,
    'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ];
  await importImage(socket, NAME, TAG, createReadStream(root), changes);
}

async function makeRoot(tar, node, signal) {
  console.log(`Making the root file system (debootstrap ${SUITE}); it is kept in ${tar} for the next time.`);
  const folder = mkdtempSync(join(tmpdir(), 'yuanbot-node-image-'));
  const unfinished = `${tar}.${process.pid}`; // another clone may be making the same
  try {
    await run(signal, 'debootstrap', '--variant=minbase', `--include=${ADDED}`, SUITE, folder, debianMirror());
    copyFileSync(realpathSync(node), join(folder, 'usr/local/bin/node'));
    chmodSync(join(folder, 'usr/local/bin/node'), 0o755);
    await run(
      signal,
      'chroot',
      folder,
      'useradd',
      '--uid',
      '1000',
      '--user-group',
      '--create-home',
      '--shell',
      '/bin/bash',
      'node',
    );
    for (const path of REMOVED) rmSync(join(folder, path), { recursive: true, force: true });
    await run(signal, 'tar', '--directory', folder, '--numeric-owner', '--one-file-system', '-cf', unfinished, '.');
    renameSync(unfinished, tar);
  } finally {
    rmSync(unfinished, { force: true });
    removeTree(folder);
  }
}

async function run(signal, program, ...args) {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  try {
    const { stdout } = await promisify(execFile)(program, args, { env, signal, maxBuffer: MAX_OUTPUT_BYTES });
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const words = `${error.stdout ?? ''}${error.stderr ?? ''}`.trim().slice(-SHOWN_OUTPUT_CHARS);
    throw new SetupFailure(`"${[program, ...args].join(' ')}" failed: ${words || error.message}`);
  }
}
