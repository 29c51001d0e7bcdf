import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { ConfigError, type ConfigSources, describeConfig, loadConfig, parseConfig } from '../../src/config/index.ts';
import { load, problemsOf } from './config-source.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const sources: ConfigSources = { env: {}, cwd: ROOT, cores: 2, readFile: (path) => readFile(path, 'utf8') };

describe('the defaults', () => {
  it('are those of the seed, in base units', async () => {
    const config = await load('');
    expect(config.capabilities).toEqual({
      loadingStrategy: 'progressive',
      maxSkillsPerTurn: 2,
      maxToolsPerTurn: 3,
      toolExecutionTimeoutMs: 10_000,
      maxParamsBytes: 1_048_576,
      sandbox: {
        defaultType: 'docker',
        wasmRuntime: 'v8',
        docker: {
          socket: '/var/run/docker.sock',
          maxContainers: 16,
          queueLimit: 256,
          build: { network: false, memoryMb: 1024, timeoutMs: 300_000 },
        },
        thread: { hosts: 1, workersPerHost: 2 },
        wasm: { hosts: 1, workersPerHost: 2 },
      },
      defaultLimits: { memoryMb: 128, cpus: 0.5, pids: 64, outputBytes: 262_144 },
    });
    expect(config.orchestrator.listen).toEqual({ kind: 'tcp', host: '127.0.0.1', port: 7420 });
    expect(config.sandboxManager.listen).toEqual({ kind: 'unix', path: '/data/sandbox-manager.sock' });
    expect(config.plugins.user).toBe('/data/plugins');
  });

  it('are what the shipped configs/bot.yaml says', async () => {
    const shipped = await loadConfig(sources);
    expect(shipped).toEqual(parseConfig({ text: '', file: '', env: {}, cwd: ROOT, dataDir: resolve(ROOT, 'data'), cores: 2 }));
  });

  it('are all written down in the shipped configs/bot.yaml, but for what follows the machine and the data folder', async () => {
    const written = parseDocument(await readFile(resolve(ROOT, 'configs/bot.yaml'), 'utf8'));
    const missing = describeConfig({ cwd: ROOT, dataDir: ROOT, cores: 2 })
      .filter((key) => !key.section && written.getIn(key.path) !== key.default)
      .map((key) => key.name);
    expect(missing).toEqual([
      'capabilities.sandbox.thread.hosts',
      'capabilities.sandbox.thread.workers_per_host',
      'capabilities.sandbox.wasm.hosts',
      'capabilities.sandbox.wasm.workers_per_host',
      'plugins.user',
    ]);
  });

  it.each([
    [1, 1, 2],
    [4, 1, 4],
    [16, 4, 4],
  ])('size the pools for %i cores to %i hosts of %i workers', (cores, hosts, workersPerHost) => {
    const config = parseConfig({ text: '', file: '', env: {}, cwd: '/', dataDir: '/', cores });
    expect(config.capabilities.sandbox.thread).toEqual({ hosts, workersPerHost });
  });

  it('hold for sections whose keys are all commented out', async () => {
    const { capabilities, log } = await load('log:\n#  level: debug\ncapabilities:\n  sandbox:\n');
    expect({ capabilities, log }).toEqual({
      capabilities: (await load('')).capabilities,
      log: { level: 'info', format: 'json' },
    });
  });
});

describe('a configuration', () => {
  it('is frozen all the way down', async () => {
    const thawed: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) thawed.push(path);
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`);
    };
    walk(await load(''), 'config');
    expect(thawed).toEqual([]);
  });

  it.each([
    ['10', 10_000],
    ['0.5', 500],
    ['1.1', 1100],
    ['"10"', 10_000],
    ['500ms', 500],
    ['1.5s', 1500],
    ['2 m', 120_000],
    ['1h', 3_600_000],
  ])('reads the duration %s as %i ms', async (text, ms) => {
    expect((await load(`capabilities: { tool_execution_timeout: ${text} }`)).capabilities.toolExecutionTimeoutMs).toBe(ms);
  });

  it.each([
    ['4096', 4096],
    ['2KiB', 2048],
    ['1.5MiB', 1_572_864],
  ])('reads the size %s as %i bytes', async (text, bytes) => {
    expect((await load(`capabilities: { max_params_bytes: ${text} }`)).capabilities.maxParamsBytes).toBe(bytes);
  });

  it('takes system plugins from the working folder', async () => {
    expect((await loadConfig(sources)).plugins.system).toBe(resolve(ROOT, 'configs/Plugins'));
  });
});

describe('the file', () => {
  it('is the one that the caller names, before YUANBOT_CONFIG, before configs/bot.yaml', async () => {
    const asked: string[] = [];
    const readNothing = async (path: string): Promise<string> => {
      asked.push(path);
      return '';
    };
    const base = { cwd: '/srv', cores: 1, readFile: readNothing };
    await loadConfig({ ...base, env: { YUANBOT_CONFIG: '/etc/bot.yaml' }, file: 'mine.yaml' });
    await loadConfig({ ...base, env: { YUANBOT_CONFIG: '/etc/bot.yaml' } });
    await loadConfig({ ...base, env: {} });
    expect(asked).toEqual(['/srv/mine.yaml', '/etc/bot.yaml', '/srv/configs/bot.yaml']);
  });

  it('must be there', async () => {
    await expect(loadConfig({ ...sources, file: 'no/such.yaml' })).rejects.toThrow(
      new ConfigError([
        {
          origin: { kind: 'file', file: 'no/such.yaml', line: 0 },
          key: '',
          message: `cannot be read (ENOENT: no such file or directory, open '${ROOT}/no/such.yaml'); name another file with YUANBOT_CONFIG, or start in the folder that holds configs/bot.yaml`,
        },
      ]),
    );
  });

  it('ends in a configuration or a ConfigError, whatever it holds', { timeout: 30_000 }, () => {
    const word = fc.constantFrom(
      'capabilities',
      'sandbox',
      'log',
      'level',
      '__proto__',
      ':',
      '- ',
      '\n',
      '  ',
      '{',
      '}',
      '[',
      '&a',
      '*a',
      '!!js',
      '0',
      '~',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(' ')),
        ),
        (text) => {
          try {
            parseConfig({ text, file: 'bot.yaml', env: {}, cwd: '/', dataDir: '/', cores: 1 });
          } catch (error) {
            expect(error).toBeInstanceOf(ConfigError);
          }
        },
      ),
    );
  });

  it('is refused when it is nested too deeply or too large', async () => {
    expect(await problemsOf('['.repeat(20_000) + ']'.repeat(20_000))).toEqual([
      'The configuration has 1 problem:',
      '  bot.yaml:1: is nested too deeply to be a configuration',
    ]);
    expect(await problemsOf(`#${' '.repeat(1_048_576)}`)).toEqual([
      'The configuration has 1 problem:',
      '  bot.yaml: is larger than 1048576 characters; it cannot be a configuration',
    ]);
  });
});
