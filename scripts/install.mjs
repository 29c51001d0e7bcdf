// Makes sure that what pnpm-lock.yaml names is installed. Plain JavaScript without dependencies: it runs on
// the machine's own Node (20 or newer), before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.mjs';
import { installDebianPackages } from './debian-packages.mjs';
import { SetupFailure } from './setup-failure.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules/.bin');
/** Node 26, which the lockfile pins: everything but these scripts runs on it. */
export const node26 = join(bin, 'node');

const OLDEST_NODE = 20; // the oldest whose npx runs pnpm 12
const PNPM = 'pnpm@12.x';
/** Exit statuses above this are 128 + the number of a signal. */
const SIGNALLED = 128;
const stampFile = join(root, 'node_modules/.yuanbot-installed');

/** Why an installation failed, in a sentence: the first pattern found in pnpm's output decides. */
const REASONS = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_PNPM_META_FETCH_FAIL|CERT_|fetch failed/,
    (registry) =>
      `The package registry ${registry} did not answer. Look at the network, a proxy (HTTPS_PROXY) or npm's "registry" setting, and run this again.`,
  ],
  [/ENOSPC/, () => `The disk that holds ${root} is full. Free some space and run this again.`],
  [/EACCES|EPERM/, () => `${root}node_modules cannot be written by this user. Its owner has to run this, or give it to you.`],
  [
    /ERR_PNPM_OUTDATED_LOCKFILE|ERR_PNPM_LOCKFILE_CONFIG_MISMATCH/,
    () => `pnpm-lock.yaml does not fit the package.json files. Run "npx ${PNPM} install" and commit the lockfile.`,
  ],
];

/**
 * Installs what is locked unless that is there already, and resolves to nothing. Costs a few milliseconds when
 * there is nothing to do. On failure it says why in a sentence and ends the process with status 1 (128 + n after signal n).
 */
export async function installLocked() {
  refuseOldNode();
  const wanted = fingerprint();
  if (isInstalled(wanted)) return;
  provideLibatomic();
  console.log(`Installing the locked packages (pnpm-lock.yaml, ${PNPM}). The first time takes a minute or two.`);
  rmSync(stampFile, { force: true }); // an installation that is cut off must not look finished
  const { status, output } = await runPnpmInstall();
  if (status > SIGNALLED) fail('The installation was ended by a signal. Run this again.', status);
  if (status !== 0) fail(explain(output));
  const check = spawnSync(node26, ['--version'], { encoding: 'utf8' });
  if (check.status !== 0) fail(`${node26} is installed but does not start: ${check.error?.message ?? check.stderr}`);
  writeFileSync(stampFile, wanted);
  console.log(`Installed; Node ${check.stdout.trim()} runs the platform.`);
}

/** The environment in which installed programs find each other and Node 26 first. */
export function installedEnvironment(extra = {}) {
  return { ...process.env, PATH: `${bin}${delimiter}${withoutOwnBin(process.env.PATH ?? '')}`, ...extra };
}

function refuseOldNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_NODE)
    fail(`Node ${process.versions.node} is too old: Node ${OLDEST_NODE} or newer is needed (it fetches Node 26 itself).`);
}

/** Node 26's program is linked with libatomic, which Node 20's is not and a minimal Debian does not have. */
function provideLibatomic() {
  const known = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' });
  if (known.status !== 0 || known.stdout.includes('libatomic.so.1')) return; // without ldconfig we cannot tell: Node itself will
  try {
    installDebianPackages({ libatomic1: 'a system library that Node 26 is linked with' });
  } catch (error) {
    if (error instanceof SetupFailure) fail(error.message);
    throw error;
  }
}

/** Changes with every file that decides what pnpm installs. */
function fingerprint() {
  const lockfile = read('pnpm-lock.yaml');
  const manifests = importers(lockfile).map((folder) => read(join(folder, 'package.json')));
  const hash = createHash('sha256');
  for (const text of [lockfile, read('pnpm-workspace.yaml'), read('.npmrc'), ...manifests])
    hash.update(`${text.length}\n${text}`);
  return hash.digest('hex');
}

function isInstalled(wanted) {
  const folders = importers(read('pnpm-lock.yaml')).filter(dependsOnSomething);
  return (
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === wanted &&
    existsSync(node26) &&
    folders.every((folder) => existsSync(join(root, folder, 'node_modules')))
  );
}

function dependsOnSomething(folder) {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(read(join(folder, 'package.json')) || '{}');
  return Object.keys({ ...dependencies, ...devDependencies }).length > 0;
}

/** The workspace's package folders, as the lockfile lists them: the keys two spaces deep under `importers:`. */
function importers(lockfile) {
  const section = lockfile.match(/^importers:\n([\s\S]*?)^\S/m)?.[1] ?? '';
  return [...section.matchAll(/^ {2}'?([^\s':]+)'?:/gm)].map((match) => match[1]);
}

function read(path) {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function runPnpmInstall() {
  // CI=true: pnpm replaces a stale node_modules without asking. Our own .bin is kept off the PATH because
  // the installation may replace the very Node that would run it.
  const env = { ...process.env, CI: 'true', PATH: withoutOwnBin(process.env.PATH ?? '') };
  let output = '';
  const status = await runChild('npx', ['--yes', PNPM, 'install', '--frozen-lockfile'], {
    cwd: root,
    env,
    wholeGroup: true,
    onOutput: (chunk) => {
      output += chunk;
    },
  });
  return { status, output };
}

function explain(output) {
  const registry = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout?.trim() || 'of npm';
  const known = REASONS.find(([pattern]) => pattern.test(output));
  return known ? known[1](registry) : `pnpm could not install the locked packages; its own words are above.`;
}

function withoutOwnBin(path) {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && resolve(folder) !== resolve(bin))
    .join(delimiter);
}

function fail(sentence, status = 1) {
  console.error(`\n${sentence}`);
  process.exit(status);
}
