// The command line as a person or a script has it: a process, against a platform of two more.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PluginFolder, threadTool, writePluginFolder } from '../fixtures/plugin-folder.ts';
import { finished, listenTo, runCli, startCli } from './cli-process.ts';
import { ROOT, startTestPlatform, type TestPlatform } from './test-platform.ts';

/** Any two ports of loopback that are free, and sockets of its own: `up` without `--once`, beside another platform. */
const FREE_PORTS = {
  YUANBOT_ORCHESTRATOR__LISTEN: '127.0.0.1:0',
  YUANBOT_ORCHESTRATOR__HTTP: '127.0.0.1:0',
  YUANBOT_SANDBOX_MANAGER__HTTP: '127.0.0.1:0',
};

describe('against a running platform', () => {
  let yuanbot: TestPlatform;
  let at: Record<string, string>;
  beforeAll(async () => {
    yuanbot = await startTestPlatform();
    const { orchestrator, sandboxManager } = yuanbot.platform;
    at = { YUANBOT_ADDRESS: orchestrator.listen, YUANBOT_MANAGER_ADDRESS: sandboxManager.listen };
  });
  afterAll(() => yuanbot?.[Symbol.asyncDispose]());

  test('list shows the shipped skills and tools', async () => {
    const { exitCode, stdout, stderr } = await runCli(['list'], at);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^get_current_datetime +tool +readonly +local_thread /m);
    expect(stdout).toMatch(/^convert_data +tool +readonly +wasm /m);
    expect(stdout).toMatch(/^text_stats +tool +readonly +docker /m);
    expect(stdout).toMatch(/^bedtime_story +skill +– +– /m);
  });

  test('list --json filters', async () => {
    const { stdout } = await runCli(['list', '--json', '--kind', 'skill', '--domain', 'emotional_care'], at);
    const { capabilities } = JSON.parse(stdout);
    expect(capabilities.map(({ id }: { id: string }) => id)).toContain('emotional_comfort');
    expect(capabilities.every(({ kind }: { kind: string }) => kind === 'skill')).toBe(true);
  });

  test('match and load choose the same; load shows it whole', async () => {
    const intent = ['--skill', 'bedtime_story', '--tool', 'calculate', '--max-skills', '1', '--max-tools', '1'];
    const match = JSON.parse((await runCli(['match', '--json', ...intent], at)).stdout);
    const load = JSON.parse((await runCli(['load', '--json', ...intent], at)).stdout);
    expect(match.skills.map(({ id }: { id: string }) => id)).toEqual(['bedtime_story']);
    expect(match.tools.map(({ id }: { id: string }) => id)).toEqual(['calculate']);
    expect(load).toMatchObject(match);
    expect(load.skills[0].prompt.length).toBeGreaterThan(100);
    expect(load.tools[0].definition.function.name).toBe('calculate');
    const { stdout } = await runCli(['load', ...intent], at);
    expect(stdout).toContain(load.skills[0].prompt);
  });

  test('call runs a tool, its parameters as flags made from its schema', async () => {
    const { exitCode, stdout, stderr } = await runCli(['call', 'get_current_datetime', '--format', 'date', '--json'], at);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ success: true, tool_id: 'get_current_datetime', stats: { sandbox: 'local_thread' } });
    expect(JSON.stringify(document.result)).toMatch(/\d{4}-\d{2}-\d{2}/);
  });

  test('call takes parameters from stdin, and reaches the wasm sandbox', async () => {
    const params = { from: 'csv', to: 'json', input: 'name\n小缘\n' };
    const { exitCode, stdout } = await runCli(['call', 'convert_data', '--params', '-', '--json'], at, JSON.stringify(params));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).stats.sandbox).toBe('wasm');
    expect(stdout).toContain('小缘');
  });

  test('call --help lists the parameters of the tool', async () => {
    const { exitCode, stdout } = await runCli(['call', 'get_current_datetime', '--help'], at);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: yuanbot-cli call get_current_datetime');
    expect(stdout).toMatch(/--format <choice> .*full.*date.*time/s);
  });

  test('a bad flag, a bad value and bad parameters each say what to write', async () => {
    const flag = await runCli(['call', 'get_current_datetime', '--fromat', 'date'], at);
    expect(flag).toMatchObject({ exitCode: 2, stdout: '' });
    expect(flag.stderr).toContain('Did you mean --format?');
    const value = await runCli(['call', 'get_current_datetime', '--format', 'week'], at);
    expect(value).toMatchObject({ exitCode: 2, stdout: '' });
    const params = await runCli(['call', 'get_current_datetime', '--params', '{"format":3}', '--locale', 'en'], at);
    expect(params).toMatchObject({ exitCode: 1, stdout: '' });
    expect(params.stderr).toMatch(/^error: ERR_PARAMS_INVALID: .*\/format/s);
  });

  test('an unknown tool is named, with its nearest neighbour', async () => {
    const { exitCode, stderr } = await runCli(['call', 'get_curent_datetime'], at);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'error: ERR_TOOL_NOT_FOUND: There is no tool "get_curent_datetime".\nDid you mean get_current_datetime?\n',
    );
  });

  test('status shows both services and every sandbox', async () => {
    const { exitCode, stdout } = await runCli(['status', '--json'], at);
    expect(exitCode).toBe(0);
    const { services, sandboxes } = JSON.parse(stdout);
    expect(services).toMatchObject([
      { service: 'orchestrator', health: 'serving' },
      { service: 'sandbox-manager', health: 'serving' },
    ]);
    expect(sandboxes.map(({ sandbox }: { sandbox: string }) => sandbox).sort()).toEqual(['docker', 'local_thread', 'wasm']);
  });

  test('status says which service does not answer', async () => {
    const { exitCode, stdout, stderr } = await runCli(['status'], { ...at, YUANBOT_MANAGER_ADDRESS: 'unix:/nonexistent.sock' });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^sandbox-manager +unreachable /m);
    expect(stderr).toContain('error: sandbox-manager does not serve.\n');
    expect(stderr).toContain('YUANBOT_MANAGER_ADDRESS');
  });

  test('resource prints a file of a skill as it is', async () => {
    const { stdout } = await runCli(['resource', 'bedtime_story', 'resources/styles_zh.txt'], at);
    expect(stdout).toBe(await readFile(join(ROOT, 'configs/Plugins/skills/bedtime_story/resources/styles_zh.txt'), 'utf8'));
  });

  test('the tool ids that a shell’s completion asks for', async () => {
    const { stdout } = await runCli(['tool-ids'], at);
    expect(stdout.split('\n')).toContain('text_stats');
  });

  test('a reader that closes the pipe early is no failure', async () => {
    const cli = startCli(['load', '--skill', 'bedtime_story'], at);
    cli.stdout?.destroy();
    const [code] = await once(cli, 'close');
    expect(code).toBe(0);
  });
});

test('Ctrl-C during a call ends the call on the platform', async () => {
  await using yuanbot = await startTestPlatform({
    tools: [threadTool('for_ever', 'for (;;) {}', { timeout: '60s' }), threadTool('quick', 'return 1;')],
    overrides: { YUANBOT_CAPABILITIES__SANDBOX__THREAD: '{ hosts: 1, workers_per_host: 1 }' },
  });
  const { orchestrator, sandboxManager } = yuanbot.platform;
  const cli = startCli(['call', 'for_ever', '--params', '{}'], { YUANBOT_ADDRESS: orchestrator.listen });
  const ran = finished(cli);
  const busy = async () => (await (await fetch(`http://${sandboxManager.http}/metrics`)).text()).match(BUSY_THREADS)?.[1];
  await expect.poll(busy, { timeout: 10_000 }).toBe('1');
  cli.kill('SIGINT');
  expect(await ran).toEqual({ exitCode: 130, stdout: '', stderr: 'error: Interrupted.\n' });
  // The only worker is free again long before the tool's own time is over.
  expect(await yuanbot.execute('quick')).toMatchObject({ success: true });
});

const BUSY_THREADS = /yuanbot_sandbox_pool_size\{[^}]*sandbox="local_thread"[^}]*state="busy"[^}]*\} (\d+)/;

test('--embedded brings a platform up for one command and leaves nothing of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'yuanbot-e2e-'));
  try {
    const { exitCode, stdout, stderr } = await runCli(['call', 'get_current_datetime', '--format', 'time', '--embedded'], {
      TMPDIR: folder,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/\d{2}:\d{2}/);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe("--embedded with plugins of the user's own", () => {
  let data: PluginFolder;
  beforeAll(async () => {
    const broken = {
      id: 'broken_script',
      executor: { type: 'local_thread', entry: 'x.js' },
      parameters: { type: 'object', properties: { name: { type: 'string' } } },
      files: { 'x.js': 'module.exports = async () => ((;\n' },
    };
    data = await writePluginFolder([threadTool('mine', 'return "mine";'), broken]);
  });
  afterAll(() => data[Symbol.asyncDispose]());

  test('finds them where they always are', async () => {
    const { exitCode, stdout, stderr } = await runCli(['call', 'mine', '--embedded'], { YUANBOT_PLUGINS__USER: data.root });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: 'mine\n', stderr: '' });
  });

  test('says of a tool that cannot start what the API says', async () => {
    const { exitCode, stderr } = await runCli(['call', 'broken_script', '--name', 'x', '--embedded', '--locale', 'en'], {
      YUANBOT_PLUGINS__USER: data.root,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: ERR_SANDBOX_START: .*line 1/);
  });
});

describe('up --once', () => {
  test('runs a call in every sandbox, prints the table, and ends', async () => {
    const { exitCode, stdout, stderr } = await runCli(['up', '--once', '--json']);
    expect(exitCode, stderr).toBe(0);
    const { sandboxes } = JSON.parse(stdout);
    expect(sandboxes).toMatchObject([
      { sandbox: 'local_thread', tool: 'get_current_datetime', state: 'ok' },
      { sandbox: 'wasm', tool: 'convert_data', state: 'ok' },
      { sandbox: 'docker', tool: 'text_stats', state: 'ok' },
    ]);
  });

  test('without an engine, docker is not available, says how to get it, and that is no failure', async () => {
    const { exitCode, stdout } = await runCli(['up', '--once'], {
      YUANBOT_CAPABILITIES__SANDBOX__DOCKER__SOCKET: '/nonexistent/docker.sock',
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^SANDBOX +TOOL +ISOLATION +TIME +RESULT$/m);
    expect(stdout).toMatch(/^local_thread +get_current_datetime +\S+ +\d+ ms +.*\d{4}-\d{2}-\d{2}/m);
    expect(stdout).toMatch(/^wasm +convert_data +\S+ +\d+ ms +.*小缘/m);
    expect(stdout).toMatch(/^docker +text_stats +– +– +not available: .*apt-get install docker\.io/m);
  });

  test('fails when a sandbox that is there cannot run its tool', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'yuanbot-e2e-'));
    try {
      const { exitCode, stdout, stderr } = await runCli(['up', '--once'], { YUANBOT_PLUGINS__SYSTEM: folder });
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^local_thread +get_current_datetime .* failed: ERR_TOOL_NOT_FOUND/m);
      expect(stderr).toMatch(/error: Failed: local_thread, wasm, docker\./);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a wrong configuration is told in its own words, exit code 78', async () => {
    const { exitCode, stdout, stderr } = await runCli(['up', '--once'], { YUANBOT_ORCHESTRATOR__LISTN: 'x' });
    expect({ exitCode, stdout }).toEqual({ exitCode: 78, stdout: '' });
    expect(stderr).toContain('YUANBOT_ORCHESTRATOR__LISTN');
    expect(stderr).toContain('YUANBOT_ORCHESTRATOR__LISTEN');
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('up', () => {
  let data: string;
  let server: ReturnType<typeof startCli>;
  let said: ReturnType<typeof listenTo>;
  let ran: ReturnType<typeof finished>;
  let address: string;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'yuanbot-e2e-'));
    server = startCli(['up', '--json', '--data', data], FREE_PORTS);
    said = listenTo(server.stderr);
    const printed = listenTo(server.stdout);
    ran = finished(server);
    await said.until('Serving');
    ({ address } = JSON.parse(printed.text()));
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await rm(data, { recursive: true, force: true });
  });

  const callDate = () => runCli(['call', 'get_current_datetime', '--params', '{}'], { YUANBOT_ADDRESS: address });

  test('serves after the table', async () => {
    expect(await callDate()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readFile(join(data, 'logs/orchestrator.log'), 'utf8')).toContain('"service":"orchestrator"');
  });

  test.each(['orchestrator', 'sandbox-manager'])('starts a %s that died again, at the same address', async (service) => {
    const pid = await pidOf(join(data, `logs/${service}.log`));
    process.kill(pid, 'SIGKILL');
    await said.until(`${service} runs again.`);
    await expect.poll(async () => (await callDate()).exitCode, { timeout: 30_000 }).toBe(0);
  });

  test('ends on a signal, with both services', async () => {
    const pids = await Promise.all(
      ['orchestrator', 'sandbox-manager'].map((service) => pidOf(join(data, `logs/${service}.log`))),
    );
    server.kill('SIGTERM');
    expect((await ran).exitCode).toBe(0);
    expect(pids.map(alive)).toEqual([false, false]);
  });
});

test('both services end when the `up` that started them is killed outright', async () => {
  const data = await mkdtemp(join(tmpdir(), 'yuanbot-e2e-'));
  try {
    const server = startCli(['up', '--data', data], FREE_PORTS);
    await listenTo(server.stderr).until('Serving');
    const pids = await Promise.all(
      ['orchestrator', 'sandbox-manager'].map((service) => pidOf(join(data, `logs/${service}.log`))),
    );
    expect(pids.map(alive)).toEqual([true, true]);
    server.kill('SIGKILL');
    await expect.poll(() => pids.map(alive), { timeout: 60_000 }).toEqual([false, false]);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

describe('npm start', () => {
  /** As a supervisor runs it, and as a person does: in a terminal, here one of util-linux's `script`. */
  const DIRECT = ['npm', ['start', '--']] as const;
  const IN_A_TERMINAL = ['script', ['--quiet', '--return', '/dev/null', '--command']] as const;

  test.each([
    ['SIGTERM', DIRECT],
    ['SIGINT', DIRECT],
    ['SIGHUP', DIRECT],
    ['SIGKILL', DIRECT],
    ['SIGKILL', IN_A_TERMINAL],
  ] as const)('leaves nothing running after a %s to %j', async (signal, [program, args]) => {
    const data = await mkdtemp(join(tmpdir(), 'yuanbot-e2e-'));
    try {
      const words = program === 'npm' ? ['--data', data] : [`npm start -- --data ${data}`];
      const npm = spawn(program, [...args, ...words], {
        cwd: ROOT,
        env: { ...process.env, ...FREE_PORTS, YUANBOT_CAPABILITIES__SANDBOX__DOCKER__SOCKET: '/nonexistent/docker.sock' },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      const ended = once(npm, 'exit');
      await Promise.race([listenTo(npm.stdout).until('Serving'), listenTo(npm.stderr).until('Serving')]);
      const started = await processesThatName(data);
      const services = ['orchestrator', 'sandbox-manager'].map((service) => pidOf(join(data, `logs/${service}.log`)));
      const pids = [...started, ...(await Promise.all(services))];
      expect(pids.length).toBeGreaterThanOrEqual(5);
      npm.kill(signal);
      await ended;
      await expect.poll(() => pids.filter(alive), { timeout: 60_000 }).toEqual([]);
    } finally {
      for (const pid of await processesThatName(data)) process.kill(pid, 'SIGKILL');
      await rm(data, { recursive: true, force: true });
    }
  });

  /** Pids of the processes with `word` in their command line. */
  async function processesThatName(word: string): Promise<number[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    return pids.filter((_pid, at) => lines[at]?.includes(word)).map(Number);
  }
});

async function pidOf(log: string): Promise<number> {
  const pids = [...(await readFile(log, 'utf8')).matchAll(/"instance":"[a-z-]+-(\d+)-/g)].map(([, pid]) => Number(pid));
  return pids.at(-1) ?? Number.NaN;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
