import { RpcStatus } from '@yuanbot/proto';
import { PermissionLevel, SandboxKind } from '@yuanbot/proto/capability';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBusybox } from '../fixtures/images.ts';
import { threadTool } from '../fixtures/plugin-folder.ts';
import { dockerSocket, startTestPlatform, type TestPlatform } from './test-platform.ts';

const city = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
};

let yuanbot: TestPlatform;
beforeAll(async () => {
  await ensureBusybox(new Docker({ socketPath: dockerSocket() }));
  yuanbot = await startTestPlatform({
    otherFiles: { 'tools/nothing_in_it/notes.txt': 'to do', 'tools/unreadable.yaml': 'tool_id: unreadable\nname: "open\n' },
    tools: [
      threadTool('weather', 'return params.city;', { parameters: city }),
      threadTool('off', 'return 1;', { more: { enabled: false } }),
      threadTool('admin_only', 'return 1;', { more: { permission_level: 'system' } }),
      threadTool('asks_first', 'return 1;', { more: { permission_level: 'user_data' } }),
      {
        id: 'syntax_error',
        executor: { type: 'local_thread', entry: 'x.js' },
        files: { 'x.js': 'module.exports = async (params) => {\n  return )\n};\n' },
      },
      { id: 'not_wasm', executor: { type: 'wasm', entry: 'x.wasm' }, files: { 'x.wasm': 'this is text' } },
      threadTool('bad_schema', 'return 1;', {
        parameters: { type: 'object', properties: { a: { type: 'string', pattern: '(?=look-ahead)' } } },
      }),
      { id: 'no_image', executor: { type: 'docker', image: 'yuanbot.invalid/none:1' } },
      {
        id: 'bad_dockerfile',
        executor: { type: 'docker', build: './image' },
        files: { 'image/Dockerfile': 'FROM busybox\nRUN exit 7\n' },
      },
    ],
  });
});
afterAll(() => yuanbot?.[Symbol.asyncDispose]());

async function failure(toolId: string, params?: unknown, more?: Readonly<Record<string, unknown>>) {
  const { success, errorCode, error, resultJson } = await yuanbot.execute(toolId, params, more);
  return { success, errorCode, error, resultJson };
}

describe('a call that cannot be one is answered with its code, and nothing runs', () => {
  it.each<[string, string, unknown, string, RegExp]>([
    ['an unknown tool', 'wether', {}, 'ERR_TOOL_NOT_FOUND', /Did you mean "weather"\?/],
    ['a disabled tool', 'off', {}, 'ERR_TOOL_DISABLED', /switched off/],
    ['a system tool without the role', 'admin_only', {}, 'ERR_PERMISSION_DENIED', /administrators only/],
    ['a tool that must ask, and nobody to ask', 'asks_first', {}, 'ERR_APPROVAL_UNDELIVERABLE', /confirmation/],
    [
      'every wrong parameter at once',
      'weather',
      { days: 'x', extra: 1 },
      'ERR_PARAMS_INVALID',
      /\/city is required; \/extra is not a parameter.*; \/days must be of type integer/,
    ],
    ['parameters that are no JSON', 'weather', '{"city"', 'ERR_PARAMS_INVALID', /not valid JSON/],
    [
      'parameters over 1 MiB',
      'weather',
      { city: 'x'.repeat(1024 * 1024) },
      'ERR_PARAMS_INVALID',
      /too large: 1048587 bytes, at most 1048576/,
    ],
    ['a script with a syntax error', 'syntax_error', {}, 'ERR_SANDBOX_START', /line 2/],
    ['a wasm file that is none', 'not_wasm', {}, 'ERR_SANDBOX_START', /wasm/i],
    ['a schema that cannot be used', 'bad_schema', {}, 'ERR_TOOL_DISABLED', /schema cannot be used/],
    ['a missing image', 'no_image', {}, 'ERR_SANDBOX_START', /yuanbot\.invalid\/none:1/],
    ['a Dockerfile that does not build', 'bad_dockerfile', {}, 'ERR_SANDBOX_START', /RUN exit 7|7/],
  ])('%s', async (_name, tool, params, code, message) => {
    const got = await failure(tool, params);
    expect(got).toMatchObject({ success: false, errorCode: code, resultJson: '' });
    expect(got.error).toMatch(message);
    expect(got.error).not.toMatch(/\n\s+at /);
  });

  it('also under an invocation id, without parsing what is too large or too deep', async () => {
    const deep = `{"a":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`;
    const startedAt = performance.now();
    expect(await failure('weather', deep, { invocationId: 'deep' })).toMatchObject({ errorCode: 'ERR_PARAMS_INVALID' });
    // Walking it takes seconds, and everybody else waits: this bound only tells the two apart.
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('in the reader’s language', async () => {
    expect((await failure('off', {}, { locale: 'zh' })).error).toBe('工具“off”已停用。');
    expect((await failure('no_image', {}, { locale: 'zh-CN' })).error).toMatch(/^工具无法启动（/);
  });

  it('an admin still needs a channel to confirm on', async () => {
    expect(await failure('admin_only', {}, { roles: ['admin'] })).toMatchObject({ errorCode: 'ERR_APPROVAL_UNDELIVERABLE' });
  });

  it('and the next good call works', async () => {
    expect(await yuanbot.execute('weather', { city: '北京' })).toMatchObject({ success: true, resultJson: '"北京"' });
  });
});

it('a request that is none is a status for the caller', async () => {
  await expect(yuanbot.execute('')).rejects.toMatchObject({ code: RpcStatus.INVALID_ARGUMENT });
  await expect(yuanbot.execute('weather', {}, { userId: 'u'.repeat(300) })).rejects.toMatchObject({
    code: RpcStatus.INVALID_ARGUMENT,
  });
  await expect(yuanbot.execute('weather', { city: 'x'.repeat(20 * 1024 * 1024) })).rejects.toMatchObject({
    code: RpcStatus.RESOURCE_EXHAUSTED,
  });
});

it('the listing invents nothing for a file that cannot be read', async () => {
  const { capabilities } = await yuanbot.client.listCapabilities({});
  expect(capabilities.find(({ id }) => id === 'unreadable')).toMatchObject({
    callable: false,
    permissionLevel: PermissionLevel.UNSPECIFIED,
    sandbox: SandboxKind.UNSPECIFIED,
    // The quote is still open where the file ends.
    problems: [{ file: 'tools/unreadable.yaml', line: 3 }],
  });
});

it('the listing shows problems of files that no capability came from', async () => {
  const { fileProblems } = await yuanbot.client.listCapabilities({});
  expect(fileProblems).toMatchObject([
    {
      file: 'tools/nothing_in_it',
      message: expect.stringContaining('no definition'),
      mend: expect.stringContaining('nothing_in_it.yaml'),
    },
  ]);
});

it('the listing shows what is wrong with broken tools', async () => {
  const broken = ['bad_dockerfile', 'bad_schema', 'no_image', 'not_wasm', 'syntax_error'];
  const problems = async () => {
    const { capabilities } = await yuanbot.client.listCapabilities({ includeDisabled: true });
    return new Map(capabilities.map(({ id, problems: found }) => [id, found.map(({ message }) => message).join('\n')]));
  };
  // The tools are made ready in the background after the start, one after another.
  const brokenNow = async () => {
    const found = await problems();
    return broken.filter((id) => /^ERR_(SANDBOX_START|TOOL_DISABLED): ./.test(found.get(id) ?? ''));
  };
  await expect.poll(brokenNow, { timeout: 30_000 }).toEqual(broken);
  expect((await problems()).get('weather')).toBe('');
});
