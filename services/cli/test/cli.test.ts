import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { runCli } from '../src/cli.ts';
import { EXIT_CODE_MEANINGS, EXIT_CODES } from '../src/failure/exit-code.ts';
import { capturedWorld } from './captured-world.ts';

async function run(...args: string[]) {
  const { world, stdout, stderr } = capturedWorld(args);
  const exitCode = await runCli(world);
  return { exitCode, stdout: stdout(), stderr: stderr() };
}

/** An address of this machine where nothing listens: one that was just given back. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `127.0.0.1:${address.port}`;
}

describe('a mistake in the command line', () => {
  test.each([
    [['lst'], "Unknown command 'lst'.\nDid you mean list?"],
    [['list', '--domian', 'x'], "Unknown option '--domian'.\nDid you mean --domain?"],
    [['list', '--kind', 'skil'], "Option '-k, --kind <kind>' argument 'skil' is invalid. Allowed choices are skill, tool."],
    [['call'], 'No tool is named.'],
    [['call', '--format', 'date'], 'The tool comes first: "--format" stands in its place.'],
    [['call', 'x', '--timeout', '5'], 'Write a time with its unit'],
    [['up', '--once', '--data', 'x'], "Option '--data <folder>' cannot be used with option '--once'."],
    [['resource', 'x'], "Missing required argument 'path'."],
    [['list', '--embedded', '--address', '127.0.0.1:1'], '--embedded brings up a platform of its own; --address names another.'],
    [['list', '--address', '127.0.0.1'], '--address: "127.0.0.1" is not an address'],
    [['list', '--address', '127.0.0.1:0'], '--address: "127.0.0.1:0" has port 0'],
  ])('%j is told on stderr, with exit code 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: EXIT_CODES.usage, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('is JSON when JSON was asked for', async () => {
    const { stderr } = await run('--json', 'lst');
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'USAGE', message: "Unknown command 'lst'.", hint: 'Did you mean list?', exit_code: 2 },
    });
  });
});

describe('where no platform answers', () => {
  test.each([['list'], ['match'], ['load'], ['call', 'x'], ['call', 'x', '--params', '{}'], ['resource', 'x', 'y'], ['status']])(
    '%s %s says so and how to get one',
    async (...args) => {
      const address = await deadAddress();
      const { exitCode, stdout, stderr } = await run(...args, '--address', address);
      expect({ exitCode, stdout }).toEqual({ exitCode: EXIT_CODES.unreachable, stdout: '' });
      expect(stderr).toContain(`No platform answers at ${address}.`);
      expect(stderr).toContain('`npm start`');
      expect(stderr).toContain('--embedded');
    },
  );
});

test('an embedded platform that cannot start says why', async () => {
  const { exitCode, stderr } = await run('list', '--embedded');
  expect(exitCode).toBe(EXIT_CODES.start);
  expect(stderr).toMatch(/^error: sandbox-manager did not start/);
});

test('an interruption is an interruption, whatever it broke', async () => {
  const interrupted = AbortSignal.abort('SIGINT');
  const { world, stderr } = capturedWorld(['list', '--address', '127.0.0.1:9'], { interrupted });
  expect(await runCli(world)).toBe(EXIT_CODES.interrupted);
  expect(stderr()).toBe('error: Interrupted.\n');
});

describe('help', () => {
  test('is on stdout, with examples and every exit code', async () => {
    const { exitCode, stdout, stderr } = await run('--help');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('Examples:');
    for (const [code, meaning] of EXIT_CODE_MEANINGS) expect(stdout).toContain(`${code}  ${meaning}`);
  });

  test('every exit code is in it', () => {
    const told = EXIT_CODE_MEANINGS.map(([code]) => code);
    expect([...told, EXIT_CODES.terminated].sort()).toEqual(Object.values(EXIT_CODES).sort());
  });

  test('without a command is on stderr, with exit code 2', async () => {
    const { exitCode, stdout, stderr } = await run();
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('Usage: yuanbot-cli');
  });

  test.each(['up', 'list', 'match', 'load', 'call', 'resource', 'status', 'completion'])(
    'of %s needs no platform',
    async (name) => {
      const { exitCode, stdout } = await run(name, '--help');
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`Usage: yuanbot-cli ${name}`);
    },
  );

  test('the version is the package’s', async () => {
    expect(await run('--version')).toEqual({ exitCode: 0, stdout: '1.2.3\n', stderr: '' });
  });
});
