import { type Handlers, RpcError, RpcStatus } from '@yuanbot/proto';
import { CapabilityKind, type CapabilityService, SandboxKind } from '@yuanbot/proto/capability';
import { describe, expect, test } from 'vitest';
import { servedWorld } from '../served-world.ts';

const DEFINITION = {
  type: 'function',
  function: {
    name: 'weather',
    description: '查询天气',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', description: '城市' },
        days: { type: 'integer', default: 1 },
        user: { type: 'string' },
      },
      required: ['city'],
    },
  },
};

const KNOWN: Handlers<typeof CapabilityService> = {
  listCapabilities: () => ({
    capabilities: [
      { id: 'weather', kind: CapabilityKind.TOOL, enabled: true, callable: true },
      { id: 'off', kind: CapabilityKind.TOOL, enabled: false, callable: false },
      {
        id: 'broken',
        kind: CapabilityKind.TOOL,
        enabled: true,
        problems: [{ file: 'broken.yaml', line: 3, message: 'no entry' }],
      },
      { id: 'secret', kind: CapabilityKind.TOOL, enabled: true, callable: true },
    ],
  }),
  loadForIntent: ({ candidateTools }) => ({
    tools: candidateTools.includes('weather') ? [{ id: 'weather', definitionJson: JSON.stringify(DEFINITION) }] : [],
  }),
};

/** A platform that knows the tool and answers each call with `result`; `asked` is the last request. */
async function platformThatAnswers(result: object) {
  const asked: Record<string, unknown>[] = [];
  const served = await servedWorld({
    ...KNOWN,
    executeTool: (request) => {
      asked.push(request as unknown as Record<string, unknown>);
      return { result: { toolId: request.toolId, invocationId: 'i', ...result } };
    },
  });
  return { ...served, asked };
}

describe('a call', () => {
  test('takes flags made from the schema, and what it belongs to', async () => {
    await using served = await platformThatAnswers({ success: true, resultJson: '{"t":1.10,"id":12345678901234567890}' });
    const who = ['--user', 'u', '-s', 'x', '--role', 'admin', '--timeout', '2s', '--locale', 'en'];
    const ran = await served.run(['call', 'weather', '--city', '北京', ...who, '--param-user', 'p']);
    expect(ran).toEqual({ exitCode: 0, stderr: '', stdout: '{\n  "t": 1.10,\n  "id": 12345678901234567890\n}\n' });
    expect(served.asked[0]).toMatchObject({
      toolId: 'weather',
      paramsJson: '{"city":"北京","user":"p"}',
      userId: 'u',
      sessionId: 'x',
      roles: ['admin'],
      timeoutMs: 2000,
      locale: 'en',
    });
  });

  test('with --params alone asks for no schema: the platform judges', async () => {
    await using served = await servedWorld({
      executeTool: ({ paramsJson }) => ({ result: { success: true, resultJson: paramsJson } }),
    });
    const { stdout } = await served.run(['call', 'anything', '--params', '{"n":0.10000000000000000555}', '--json']);
    expect(stdout).toContain('"n": 0.10000000000000000555');
  });

  test('that answers with text prints the text', async () => {
    await using served = await platformThatAnswers({ success: true, resultJson: '"北京晴\\n25°C"' });
    expect((await served.run(['call', 'weather', '--city', 'x'])).stdout).toBe('北京晴\n25°C\n');
  });

  test('that fails prints code and message on stderr, and exits with 1', async () => {
    await using served = await platformThatAnswers({ success: false, errorCode: 'ERR_TOOL_FAILED', error: 'No such city.' });
    const args = ['call', 'weather', '--city', 'x'];
    expect(await served.run(args)).toEqual({ exitCode: 1, stdout: '', stderr: 'error: ERR_TOOL_FAILED: No such city.\n' });
    const { exitCode, stdout, stderr } = await served.run([...args, '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      result: null,
      error_code: 'ERR_TOOL_FAILED',
      error: 'No such city.',
    });
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'ERR_TOOL_FAILED', message: 'No such city.', hint: null, exit_code: 1 },
    });
  });

  test('says when it ran in the fallback, and what came with the result', async () => {
    const stats = { sandbox: SandboxKind.LOCAL_THREAD, fallback: true };
    const parts = [{ mediaType: 'image/png', data: Buffer.from('png'), name: 'a.png' }];
    await using served = await platformThatAnswers({ success: true, resultJson: '1', stats, parts });
    const { stdout, stderr } = await served.run(['call', 'weather', '--city', 'x']);
    expect(stdout).toBe('1\n');
    expect(stderr).toContain('it ran in its fallback');
    expect(stderr).toContain('a.png: image/png, 3 bytes');
    const { stdout: json } = await served.run(['call', 'weather', '--city', 'x', '--json']);
    expect(JSON.parse(json)).toMatchObject({
      parts: [{ media_type: 'image/png', data_base64: 'cG5n' }],
      stats: { sandbox: 'local_thread', fallback: true },
    });
  });
});

describe('a call that is not made', () => {
  test.each([
    [['call', 'weather'], 2, 'error: The tool "weather" needs --city.\nSee: yuanbot-cli call weather --help\n'],
    [['call', 'weather', '--citty', 'x'], 2, "error: Unknown option '--citty'.\nDid you mean --city?\n"],
    [['call', 'weathr'], 1, 'error: ERR_TOOL_NOT_FOUND: There is no tool "weathr".\nDid you mean weather?\n'],
    [['call', 'off'], 1, 'error: ERR_TOOL_DISABLED: The tool "off" is disabled.\nSet `enabled: true` in its file.\n'],
    [['call', 'broken'], 1, 'error: ERR_TOOL_DISABLED: The tool "broken" cannot be called: broken.yaml:3 no entry\n'],
    [['call', 'secret'], 77, 'error: ERR_PERMISSION_DENIED: The platform does not offer "secret" to this user.\n'],
    [['call', 'weather', '--params', '[]'], 2, 'error: --params is not a JSON object.\n'],
  ])('%j', async (args, exitCode, message) => {
    await using served = await platformThatAnswers({});
    const ran = await served.run(args);
    expect({ exitCode: ran.exitCode, stdout: ran.stdout, asked: served.asked }).toEqual({ exitCode, stdout: '', asked: [] });
    expect(ran.stderr.startsWith(message)).toBe(true);
  });
});

describe('the help of a tool', () => {
  test('lists its parameters', async () => {
    await using served = await platformThatAnswers({});
    const { exitCode, stdout } = await served.run(['call', 'weather', '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: yuanbot-cli call weather [parameters] [options]');
    expect(stdout).toContain('查询天气');
    expect(stdout).toMatch(/--city <string> +城市 \(required\)/);
    expect(stdout).toMatch(/--days <integer> +\(default: 1\)/);
    expect(stdout).toMatch(/--param-user <string>/);
    expect(stdout.match(/--user <id>/g)).toHaveLength(1);
    expect(stdout).toMatch(/--address <address>/);
  });

  test('is a document with --json', async () => {
    await using served = await platformThatAnswers({});
    const { stdout } = await served.run(['call', 'weather', '-h', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      tool_id: 'weather',
      parameters: [
        { name: 'city', flag: '--city', required: true },
        { name: 'days', flag: '--days', required: false },
        { name: 'user', flag: '--param-user', required: false },
      ],
      schema: DEFINITION.function.parameters,
    });
  });
});

/** What a tool's file may hold, and no terminal may get. */
const RUDE = '\u001b[2J\u009b1m\u202e\u2066\u200b\u{e0041}';
const RUDE_SHOWN = '\\u{1b}[2J\\u{9b}1m\\u{202e}\\u{2066}\\u{200b}\\u{e0041}';
const NOT_FOR_A_TERMINAL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe('a tool that would take a screen over', () => {
  const PARAMETERS = {
    properties: {
      city: { type: 'string', description: `first\nsecond ${RUDE}`, default: `${RUDE}x` },
      kind: { enum: ['a', `b${RUDE}`] },
      shape: { type: 'object', default: { [RUDE]: RUDE } },
      [`name${RUDE}`]: { type: 'string' },
      '\u3164': { type: 'string', description: 'invisible by name' },
      need: { type: 'string' },
    },
    required: [`name${RUDE}`, 'need'],
  };
  const definition = { type: 'function', function: { name: 'rude', description: `words ${RUDE}`, parameters: PARAMETERS } };
  const problems = [{ file: `f${RUDE}`, line: 1, message: RUDE, mend: RUDE }];
  const served = () =>
    servedWorld({
      listCapabilities: () => ({
        capabilities: [
          { id: 'rude', name: RUDE, domains: [RUDE], kind: CapabilityKind.TOOL, enabled: true, callable: true, problems },
          { id: `rude${RUDE}`, kind: CapabilityKind.TOOL, enabled: true, callable: false, problems },
        ],
        fileProblems: problems,
      }),
      loadForIntent: () => ({
        skills: [{ id: 'skill', name: RUDE, version: RUDE, prompt: 'p', tokens: 1 }],
        tools: [{ id: 'rude', definitionJson: JSON.stringify(definition), tokens: 1 }],
      }),
      executeTool: ({ paramsJson }) => {
        const parts = [{ mediaType: RUDE, name: RUDE }];
        if (paramsJson === '{}') return { result: { success: false, errorCode: `ERR_${RUDE}`, error: RUDE } };
        return { result: { success: true, resultJson: JSON.stringify({ [RUDE]: RUDE }), parts } };
      },
    });

  test.each([
    ['its help', ['call', 'rude', '--help']],
    ['its help as a document', ['call', 'rude', '--help', '--json']],
    ['its result', ['call', 'rude', '--params', '{"a":1}']],
    ['its result as a document', ['call', 'rude', '--params', '{"a":1}', '--json']],
    ['its failure', ['call', 'rude', '--params', '{}']],
    ['its failure as a document', ['call', 'rude', '--params', '{}', '--json']],
    ['a missing parameter', ['call', 'rude', '--city', 'x']],
    ['a bad choice', ['call', 'rude', '--kind', RUDE]],
    ['an unknown flag', ['call', 'rude', `--${RUDE}`]],
    ['a tool that cannot be called', ['call', `rude${RUDE}`]],
    ['a tool that is not there', ['call', `rudd${RUDE}`]],
    ['the listing', ['list']],
    ['the listing as a document', ['list', '--json']],
    ['a match', ['match']],
    ['what is loaded', ['load']],
    ['what is loaded, as a document', ['load', '--json']],
    ['the ids for a completion', ['tool-ids']],
  ])('cannot, by %s', async (_what, args) => {
    await using platform = await served();
    const { stdout, stderr } = await platform.run(args);
    expect(`${stdout}${stderr}`).not.toBe('');
    expect(`${stdout}${stderr}`.replaceAll('\n', '')).not.toMatch(NOT_FOR_A_TERMINAL);
  });

  test('is shown with what it says', async () => {
    await using platform = await served();
    const { stdout } = await platform.run(['call', 'rude', '--help']);
    const words = stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain(`words ${RUDE_SHOWN}`);
    expect(words).toContain(`first second ${RUDE_SHOWN} (default: ${RUDE_SHOWN}x)`);
    expect(words).toContain(`(choices: a, b${RUDE_SHOWN})`);
    expect(words).not.toContain('invisible by name');
  });
});

test('Ctrl-C during a call cancels it on the platform', async () => {
  const interrupt = new AbortController();
  const cancelled = Promise.withResolvers<void>();
  await using served = await servedWorld({
    executeTool: (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          cancelled.resolve();
          reject(new RpcError(RpcStatus.CANCELLED, 'cancelled'));
        });
        interrupt.abort('SIGINT');
      }),
  });
  const ran = await served.run(['call', 'slow', '--params', '{}'], { interrupted: interrupt.signal });
  await cancelled.promise;
  expect(ran).toEqual({ exitCode: 130, stdout: '', stderr: 'error: Interrupted.\n' });
});

test.each([
  [RpcStatus.UNAVAILABLE, 69, 'The platform is shutting down.'],
  [RpcStatus.INVALID_ARGUMENT, 2, 'user_id is too long.'],
  [RpcStatus.PERMISSION_DENIED, 77, 'No.'],
  [RpcStatus.RESOURCE_EXHAUSTED, 1, 'Too many calls.'],
  [RpcStatus.INTERNAL, 70, 'The service failed.'],
])('a status of the platform (%d) is told in its own words, exit code %d', async (status, exitCode, message) => {
  await using served = await servedWorld({
    executeTool: () => {
      throw new RpcError(status, message);
    },
  });
  expect(await served.run(['call', 'x', '--params', '{}'])).toEqual({ exitCode, stdout: '', stderr: `error: ${message}\n` });
});
