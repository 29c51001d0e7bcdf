// npm run fresh-root [-- [--with-changes] [--keep] [command…]]: what a newcomer sees. Makes a fresh Debian root
// with git and this machine's own Node and npm, nothing else, clones this repository into it and runs a command
// there (default: npm start -- --once). Mounts and processes are its own; the network is the machine's.
//   --with-changes  also takes over what is not committed
//   --keep          leaves the root there and says where
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { runChild } from './child.mjs';
import { installDebianPackages } from './debian-packages.mjs';
import { root as repository } from './install.mjs';
import { removeTree } from './remove-tree.mjs';
import { debianMirror } from './test-services/debian-mirror.mjs';

const SUITE = 'bookworm';
const CLONE = '/root/yuanbot';
/** What of the machine's own network set-up holds in the root as well. */
const NETWORK_FILES = ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'];
const NETWORK_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'npm_config_registry'];
/** Runs as the first process of its own namespaces: makes the folder $1 the root, then becomes the command. */
const ENTER = `set -e
mount --bind "$1" "$1" && cd "$1" && shift
mount -t proc proc proc && mount --rbind /sys sys && mount --rbind /dev dev
mkdir -p .machine && pivot_root . .machine && umount -l .machine && rmdir .machine
cd ${CLONE} && exec "$@"`;

const flags = new Set(process.argv.slice(2).filter((word) => word === '--with-changes' || word === '--keep'));
const words = process.argv.slice(2).filter((word) => !flags.has(word));
const command = words.length > 0 ? words : ['npm', 'start', '--', '--once'];

installDebianPackages({ debootstrap: 'makes the fresh root', git: 'clones into it' });
const folder = mkdtempSync(join(tmpdir(), 'yuanbot-fresh-root-'));
chmodSync(folder, 0o755); // it becomes /, which not only root reads
try {
  timed('debootstrap', () =>
    run('debootstrap', '--variant=minbase', '--include=git,ca-certificates', SUITE, folder, debianMirror()),
  );
  timed('Node, network and clone', () => {
    copyNode();
    for (const file of NETWORK_FILES) if (existsSync(file)) copyFileSync(file, join(folder, file));
    run('git', 'clone', '--quiet', '--no-hardlinks', repository, join(folder, CLONE));
    if (flags.has('--with-changes')) copyChanges();
  });
  const started = performance.now();
  console.log(`\n$ ${command.join(' ')}    (in ${folder})`);
  process.exitCode = await runChild(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh', folder, ...command],
    {
      env: freshEnvironment(),
    },
  );
  console.log(`\n${command.join(' ')}: status ${process.exitCode}, ${seconds(started)}`);
} finally {
  if (flags.has('--keep')) console.log(`The root is kept in ${folder}`);
  else removeTree(folder);
}

/** This machine's own Node, not the one that pnpm installed into the repository. */
function copyNode() {
  const own = resolve(repository, 'node_modules/.bin');
  const folders = process.env.PATH.split(delimiter).filter((path) => resolve(path) !== own);
  const node = realpathSync(folders.map((path) => join(path, 'node')).find((path) => existsSync(path)));
  const npm = realpathSync(folders.map((path) => join(path, 'npm')).find((path) => existsSync(path)));
  const bin = join(folder, 'usr/local/bin');
  copyFileSync(node, join(bin, 'node'));
  cpSync(resolve(dirname(npm), '..'), join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name));
}

function copyChanges() {
  const git = (...args) =>
    execFileSync('git', ['-C', repository, ...args, '-z'], { encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
  for (const file of git('ls-files', '--cached', '--others', '--exclude-standard')) {
    const target = join(folder, CLONE, file);
    mkdirSync(dirname(target), { recursive: true });
    if (existsSync(join(repository, file))) cpSync(join(repository, file), target);
  }
}

function freshEnvironment() {
  const kept = Object.fromEntries(NETWORK_VARIABLES.filter((name) => process.env[name]).map((name) => [name, process.env[name]]));
  return { HOME: '/root', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...kept };
}

function run(program, ...args) {
  const { status, error, stderr } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`"${[program, ...args].join(' ')}" failed: ${error?.message ?? stderr}`);
}

function timed(what, work) {
  const started = performance.now();
  work();
  console.log(`${what}: ${seconds(started)}`);
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
