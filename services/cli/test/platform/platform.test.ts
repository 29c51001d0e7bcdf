import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { PlatformStartError, startPlatform } from '../../src/platform/index.ts';
import { projectWith, wellBehaved } from './fake-service.ts';

// Each test starts two to five processes; on a machine that runs other suites too, one takes seconds to come up.
vi.setConfig({ testTimeout: 60_000 });

const ORCHESTRATOR = wellBehaved('orchestrator', 'YUANBOT_ORCHESTRATOR');
const MANAGER = wellBehaved('sandbox-manager', 'YUANBOT_SANDBOX_MANAGER');

const ANY_PORTS = {
  YUANBOT_ORCHESTRATOR__LISTEN: '127.0.0.1:0',
  YUANBOT_ORCHESTRATOR__HTTP: '127.0.0.1:0',
  YUANBOT_SANDBOX_MANAGER__LISTEN: '127.0.0.1:0',
  YUANBOT_SANDBOX_MANAGER__HTTP: '127.0.0.1:0',
};

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'yuanbot-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

function optionsFor(root: string, env: Record<string, string> = {}) {
  return { root, nodePath: process.execPath, env: { PATH: process.env['PATH'], ...env } };
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('an ephemeral platform', () => {
  test('has a temporary data folder of its owner alone, keys, sockets of short paths, and leaves nothing', async () => {
    await using project = await projectWith({ orchestrator: ORCHESTRATOR, 'sandbox-manager': MANAGER });
    await using folder = await temporaryFolder();
    const ends = join(folder.path, 'ends');
    const platform = await startPlatform({ ...optionsFor(project.root, { YUANBOT_ENDS: ends }), ephemeral: true });
    const { dataDir, orchestrator, sandboxManager } = platform;

    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(existsSync(join(dataDir, 'keys/public.jwks.json'))).toBe(true);
    expect(orchestrator.listen).toMatch(/^unix:.*\/orchestrator\.sock$/);
    expect(Buffer.byteLength(orchestrator.listen.slice('unix:'.length))).toBeLessThan(100);
    expect(orchestrator.http).toBe('127.0.0.1:4322');
    const [first, second] = [orchestrator.pid(), sandboxManager.pid()];
    expect([first, second].map(alive)).toEqual([true, true]);

    await platform.stop();
    expect([first, second].map(alive)).toEqual([false, false]);
    expect(existsSync(dataDir)).toBe(false);
    expect(existsSync(dirname(orchestrator.listen.slice('unix:'.length)))).toBe(false);
    expect(await readFile(ends, 'utf8')).toBe('orchestrator SIGTERM\nsandbox-manager SIGTERM\n');
  });

  test('keeps socket paths short where the temporary folder is deep', async () => {
    await using project = await projectWith({ orchestrator: ORCHESTRATOR, 'sandbox-manager': MANAGER });
    await using folder = await temporaryFolder();
    const before = process.env['TMPDIR'];
    const deep = join(folder.path, 'a'.repeat(90));
    await mkdir(deep);
    process.env['TMPDIR'] = deep;
    try {
      await using platform = await startPlatform({ ...optionsFor(project.root), ephemeral: true });
      expect(platform.dataDir.startsWith(deep)).toBe(true);
      expect(Buffer.byteLength(platform.sandboxManager.listen.slice('unix:'.length))).toBeLessThan(100);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });
});

test('services get the overrides, the addresses as bound, and none of the client’s own variables', async () => {
  await using project = await projectWith({ orchestrator: ORCHESTRATOR, 'sandbox-manager': MANAGER });
  await using folder = await temporaryFolder();
  await using platform = await startPlatform({
    ...optionsFor(project.root, { YUANBOT_ADDRESS: 'elsewhere:1', YUANBOT_LOG__LEVEL: 'info' }),
    dataDir: join(folder.path, 'data'),
    overrides: ANY_PORTS,
  });
  const { env } = JSON.parse(await readFile(join(platform.dataDir, 'orchestrator.json'), 'utf8'));
  expect(env).toMatchObject({
    YUANBOT_DATA: platform.dataDir,
    YUANBOT_SUPERVISED: '1',
    YUANBOT_LOG__LEVEL: 'info',
    YUANBOT_SANDBOX_MANAGER__LISTEN: '127.0.0.1:4321',
  });
  expect(env).not.toHaveProperty('YUANBOT_ADDRESS');
  expect(await readFile(join(platform.dataDir, 'logs/orchestrator.log'), 'utf8')).toContain('"msg":"up"');
});

test('a start that fails says which service and why, and leaves nothing running', async () => {
  const broken = `console.error('{"level":30,"msg":"hello"}'); console.error('configs/bot.yaml:3: unknown key "sandbx"; did you mean "sandbox"?'); process.exit(3);`;
  await using project = await projectWith({ orchestrator: broken, 'sandbox-manager': MANAGER });
  await using folder = await temporaryFolder();
  const ends = join(folder.path, 'ends');
  const started = startPlatform({ ...optionsFor(project.root, { YUANBOT_ENDS: ends }), ephemeral: true });
  await expect(started).rejects.toThrow(PlatformStartError);
  await expect(started).rejects.toThrow(
    'orchestrator did not start (exit code 3):\nconfigs/bot.yaml:3: unknown key "sandbx"; did you mean "sandbox"?',
  );
  expect(await readFile(ends, 'utf8')).toBe('sandbox-manager SIGTERM\n');
});

test('a data folder that others could read is closed to them', async () => {
  await using project = await projectWith({ orchestrator: ORCHESTRATOR, 'sandbox-manager': MANAGER });
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir, { mode: 0o755 });
  await using _platform = await startPlatform({ ...optionsFor(project.root), dataDir, overrides: ANY_PORTS });
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test('a data folder that cannot be made is a start error with the folder in it', async () => {
  await using project = await projectWith({ orchestrator: ORCHESTRATOR, 'sandbox-manager': MANAGER });
  const started = startPlatform({ ...optionsFor(project.root), dataDir: '/dev/null/data' });
  await expect(started).rejects.toThrow(/^The platform cannot use its data folder \/dev\/null\/data: /);
});

test('a start that is interrupted ends what was started', async () => {
  const silent = ORCHESTRATOR.replace(/console\.log\(JSON.*\n/g, '');
  await using project = await projectWith({ orchestrator: silent, 'sandbox-manager': MANAGER });
  await using folder = await temporaryFolder();
  const ends = join(folder.path, 'ends');
  const dataDir = join(folder.path, 'data');
  const interrupt = new AbortController();
  const started = startPlatform({
    ...optionsFor(project.root, { YUANBOT_ENDS: ends }),
    dataDir,
    overrides: ANY_PORTS,
    signal: interrupt.signal,
  });
  void expect
    .poll(() => existsSync(join(dataDir, 'orchestrator.json')), { timeout: 30_000 })
    .toBe(true)
    .then(() => interrupt.abort());
  await expect(started).rejects.toThrow('The start of orchestrator was interrupted.');
  expect(await readFile(ends, 'utf8')).toBe('orchestrator SIGTERM\nsandbox-manager SIGTERM\n');
});

test('a service that dies is started again at the same address, and that is said', async () => {
  await using project = await projectWith({ orchestrator: ORCHESTRATOR, 'sandbox-manager': MANAGER });
  const said: string[] = [];
  const again = Promise.withResolvers<void>();
  await using platform = await startPlatform({
    ...optionsFor(project.root),
    ephemeral: true,
    restart: true,
    onProgress: (sentence) => {
      said.push(sentence);
      if (sentence === 'orchestrator runs again.') again.resolve();
    },
  });
  const before = platform.orchestrator.pid();
  process.kill(before, 'SIGKILL');
  await again.promise;
  expect(platform.orchestrator.pid()).not.toBe(before);
  expect(said.find((sentence) => sentence.startsWith('orchestrator ended (SIGKILL)'))).toContain('it is started again');
  const { env } = JSON.parse(await readFile(join(platform.dataDir, 'orchestrator.json'), 'utf8'));
  expect(env.YUANBOT_ORCHESTRATOR__HTTP).toBe('127.0.0.1:4322');
});

test('without restart, the loss of a service is told', async () => {
  await using project = await projectWith({ orchestrator: ORCHESTRATOR, 'sandbox-manager': MANAGER });
  await using platform = await startPlatform({ ...optionsFor(project.root), ephemeral: true });
  process.kill(platform.sandboxManager.pid(), 'SIGKILL');
  expect(await platform.lost).toMatch(/^sandbox-manager ended \(SIGKILL\), see .*sandbox-manager\.log\.$/);
});

test('a service that ignores the request to end is killed when the stop is forced', async () => {
  const deaf = MANAGER.replace(/process\.once\('SIGTERM'.*\n/, "process.on('SIGTERM', () => {});\n");
  await using project = await projectWith({ orchestrator: ORCHESTRATOR, 'sandbox-manager': deaf });
  const platform = await startPlatform({ ...optionsFor(project.root), ephemeral: true });
  const pid = platform.sandboxManager.pid();
  await platform.stop(AbortSignal.timeout(200));
  expect(alive(pid)).toBe(false);
});

test('services end when the supervisor is killed outright', async () => {
  await using project = await projectWith({ orchestrator: ORCHESTRATOR, 'sandbox-manager': MANAGER });
  await using folder = await temporaryFolder();
  const index = new URL('../../src/platform/index.ts', import.meta.url).href;
  const supervisor = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { startPlatform } from ${JSON.stringify(index)};
       const platform = await startPlatform(${JSON.stringify({ ...optionsFor(project.root, { YUANBOT_ENDS: join(folder.path, 'ends') }), ephemeral: true })});
       console.log(JSON.stringify([platform.dataDir, platform.orchestrator.pid(), platform.sandboxManager.pid()]));`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(supervisor.stdout, 'data');
  const [dataDir, ...pids] = JSON.parse(String(line));
  expect(pids.map(alive)).toEqual([true, true]);
  supervisor.kill('SIGKILL');
  await once(supervisor, 'exit');
  await expect.poll(() => pids.map(alive), { timeout: 30_000 }).toEqual([false, false]);
  expect((await readFile(join(folder.path, 'ends'), 'utf8')).split('\n').sort()).toEqual([
    '',
    'orchestrator stdin',
    'sandbox-manager stdin',
  ]);

  // Nobody was left to remove its data folder, which holds a signing key: the next start does.
  expect(existsSync(join(dataDir, 'keys'))).toBe(true);
  await using next = await startPlatform({ ...optionsFor(project.root), ephemeral: true });
  expect(existsSync(dataDir)).toBe(false);
  expect(existsSync(join(next.dataDir, 'keys'))).toBe(true);
});
