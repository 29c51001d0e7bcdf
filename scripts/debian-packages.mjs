// Debian's packages: what is missing is installed, named with its reason; nothing is installed silently.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SetupFailure } from './setup-failure.mjs';
import { userCache } from './user-cache.mjs';

/** How long to wait for another apt or dpkg on this machine (s): an unattended upgrade takes minutes. */
const LOCK_TIMEOUT_S = 600;
// biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of dpkg-query
const STATUS_LINE = '${Package} ${db:Status-Status}\n';

/**
 * Installs those of the packages that are missing.
 * @param {Record<string, string>} reasons package → why it is needed. A `*` in a name stands for the version of
 *   Debian's clang: its runtimes have no package that follows it.
 * @throws {SetupFailure} not a Debian, not root, or a package cannot be had
 */
export function installDebianPackages(reasons) {
  const names = Object.keys(reasons);
  if (!existsSync('/usr/bin/dpkg-query')) {
    throw new SetupFailure(`This machine has no Debian packages. Install what is called there: ${names.join(' ')}`);
  }
  const missing = missingOf(names);
  if (missing.length === 0) return;
  if (process.getuid() !== 0) {
    throw new SetupFailure(
      `Debian packages are missing, and only root can install them:\n  apt-get install ${missing.join(' ')}`,
    );
  }
  console.log('Reading the package lists (apt-get update).');
  aptGet('update', '-qq');
  console.log('Installing Debian packages:');
  for (const name of missing) console.log(`  ${actualName(name)}: ${reasons[name]}`);
  aptGet('install', '-qq', '--no-install-recommends', ...missing.map(actualName));
  const still = missingOf(missing);
  if (still.length > 0) throw new SetupFailure(`apt-get reported success, but these are not installed: ${still.join(' ')}`);
}

function missingOf(names) {
  // dpkg-query fails when it does not know a name; its list is what counts.
  const query = spawnSync('dpkg-query', ['-W', '-f', STATUS_LINE, ...names.map(actualName)], { encoding: 'utf8' });
  const installed = new Set(
    query.stdout.split('\n').flatMap((line) => (line.endsWith(' installed') ? [line.split(' ')[0]] : [])),
  );
  return names.filter((name) => !installed.has(actualName(name)));
}

function actualName(name) {
  if (!name.includes('*')) return name;
  const depends = spawnSync('apt-cache', ['depends', 'clang'], { encoding: 'utf8' }).stdout;
  const version = depends.match(/Depends: clang-(\d+)/)?.[1];
  return version ? name.replace('*', version) : name; // before the first `apt-get update` it may be unknown
}

function aptGet(...args) {
  const apt = [
    'apt-get',
    '-o',
    `DPkg::Lock::Timeout=${LOCK_TIMEOUT_S}`,
    '-o',
    'Acquire::Retries=3',
    '-o',
    'Dpkg::Use-Pty=0',
    ...args,
  ];
  // flock: two clones may set up at once, and apt-get itself does not wait for the lock on its lists.
  const run = spawnSync('flock', ['-w', String(LOCK_TIMEOUT_S), join(userCache(), 'apt.lock'), ...apt], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (run.error) throw new SetupFailure(`apt-get cannot be started: ${run.error.message}`);
  if (run.status !== 0)
    throw new SetupFailure(`"apt-get ${args.join(' ')}" failed (status ${run.status}); its own words are above.`);
}
