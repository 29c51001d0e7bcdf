import { sha256Digest } from '@yuanbot/kit/canonical';
import { describe, expect, test } from 'vitest';
import type { Problem, Tool } from '../../src/registry/model.ts';
import { DEFAULTS, type Files, flatTool, registryOf, schemaText } from './temporary-source.ts';

/** DESIGN §3 "A tool's file", without what only docker tools may say. */
const FULL = `tool_id: query_weather            # seed 003 §5.1
name: 天气查询
version: 1.10
category: daily_chat/weather
domains: [knowledge_query, daily_chat/weather]
capability_tags: [weather, forecast, 2024]
persona_filters: [gentle]
permission_level: readonly
confirm: first_use
schema_file: query_weather.schema.json
enabled: true
executor:
  type: local_thread
  entry: query_weather.js
  protocol: oneshot
  timeout: 2.5s
  resources: { memory_mb: 64, cpus: 0.25, pids: 32, output_kb: 256 }
  env: [QWEATHER_KEY, AMAP_KEY]
  net: ["head,get https://*.qweather.com"]
  db: [read_memories]
  fs: read
`;

async function toolOf(files: Files, id: string): Promise<Tool> {
  const registry = await registryOf(files);
  const tool = registry.snapshot().tool(id);
  if (tool === undefined) throw new Error(`no tool ${id}; problems: ${JSON.stringify(registry.snapshot().problems())}`);
  return tool;
}

/** A tool in a folder of its own whose file is `text`. */
const folderTool = (text: string, more: Files = {}): Files => ({
  'tools/t/t.yaml': text,
  'tools/t/t.schema.json': schemaText('t'),
  'tools/t/t.js': 'module.exports = async () => 1;\n',
  ...more,
});

const HEAD = 'tool_id: t\nname: T\nversion: "1"\ncategory: daily_chat\n';

describe('a tool in the Yuan format', () => {
  test('is read whole, in a folder of its own', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string', default: 'x' } }, required: ['city'] };
    const tool = await toolOf(
      {
        'tools/query_weather/query_weather.yaml': FULL,
        'tools/query_weather/query_weather.schema.json': schemaText('query_weather', parameters),
        'tools/query_weather/query_weather.js': 'code',
        'tools/query_weather/resources/cities.json': '[]',
      },
      'query_weather',
    );
    const resource = { path: 'resources/cities.json', digest: sha256Digest('[]') };
    expect(tool).toMatchObject({
      kind: 'tool',
      id: 'query_weather',
      name: '天气查询',
      description: 'What query_weather does.',
      version: '1.10',
      domains: ['daily_chat/weather', 'knowledge_query'],
      tags: ['weather', 'forecast', '2024'],
      personaFilters: ['gentle'],
      enabled: true,
      callable: true,
      problems: [],
      source: 'system',
      overridesSystem: false,
      file: 'tools/query_weather/query_weather.yaml',
      callName: 'query_weather',
      permissionLevel: 'readonly',
      confirm: 'first_use',
      parameters,
      fallback: undefined,
      limits: { timeoutMs: 2500, memoryMb: 64, cpus: 0.25, pids: 32, outputBytes: 262_144 },
      scope: {
        fs: 'read',
        net: ['GET,HEAD https://*.qweather.com:443'],
        db: ['read_memories'],
        secrets: ['AMAP_KEY', 'QWEATHER_KEY'],
      },
      resources: [{ ...resource, size: 2, mediaType: 'application/json' }],
    });
    expect(tool.executor.descriptor).toEqual({
      kind: 'local_thread',
      image: '',
      artifact: sha256Digest('code'),
      command: [],
      env: ['AMAP_KEY', 'QWEATHER_KEY'],
      protocol: 'oneshot',
      network: 'none',
      resources: [resource],
    });
    expect(JSON.parse(tool.definitionJson)).toEqual({
      type: 'function',
      function: { name: 'query_weather', description: 'What query_weather does.', parameters },
    });
    expect(tool.tokenCost).toBeGreaterThan(20);
    expect(Object.isFrozen(tool.parameters['properties'])).toBe(true);
  });

  test('takes the configured limits, the level’s own confirmation and the file’s own name for the schema', async () => {
    const tool = await toolOf(flatTool('plain'), 'plain');
    expect(tool).toMatchObject({
      limits: DEFAULTS.limits,
      confirm: 'never',
      callable: true,
      scope: { fs: 'none', net: [], db: [], secrets: [] },
    });
  });

  test('seed 003 §5.1 as it is written there: a docker image and a time-out', async () => {
    const tool = await toolOf(
      {
        'tools/get_weather.yaml':
          'tool_id: get_weather\nname: "天气查询"\nversion: "1.0.0"\ncategory: daily_chat\npermission_level: readonly  # readonly | user_data | system\nschema_file: "get_weather.schema.json"\nexecutor:\n  type: docker  # docker | wasm | local_thread\n  image: "yuanbot/tool-weather:latest"  # 若为docker\n  timeout: 10s\n',
        'tools/get_weather.schema.json': schemaText('get_weather'),
      },
      'get_weather',
    );
    expect(tool).toMatchObject({ callable: true, problems: [], limits: { timeoutMs: 10_000 } });
    expect(tool.executor.descriptor).toMatchObject({ kind: 'docker', image: 'yuanbot/tool-weather:latest', artifact: '' });
  });

  test('without `type` it runs in the configured sandbox', async () => {
    const tool = await toolOf(folderTool(`${HEAD}permission_level: readonly\nexecutor:\n  image: busybox\n`), 't');
    expect(tool.executor.descriptor.kind).toBe('docker');
  });

  test('a docker tool may be built from its folder and fall back to a script', async () => {
    const text = `${HEAD}permission_level: readonly\nexecutor:\n  type: docker\n  build: .\n  entry: t.js\n  fallback: local_thread\n`;
    const registry = await registryOf(folderTool(text, { 'tools/t/Dockerfile': 'FROM busybox\n' }));
    const tool = registry.snapshot().tool('t');
    expect(tool).toMatchObject({ callable: true, problems: [] });
    expect(tool?.executor.descriptor).toMatchObject({ kind: 'docker', image: '', artifact: expect.stringMatching(/^sha256:/) });
    expect(tool?.fallback?.descriptor).toMatchObject({
      kind: 'local_thread',
      artifact: sha256Digest('module.exports = async () => 1;\n'),
      command: [],
    });
    const context = await registry.readArtifact(tool?.executor.descriptor.artifact ?? '');
    expect(sha256Digest(context ?? new Uint8Array())).toBe(tool?.executor.descriptor.artifact);
  });

  test('its digest changes with everything that defines it and with nothing else', async () => {
    const text = `${HEAD}permission_level: readonly\nexecutor:\n  type: local_thread\n  entry: t.js\n`;
    const digest = async (files: Files) => (await toolOf(files, 't')).digest;
    const first = await digest(folderTool(text));
    expect(await digest(folderTool(text, { 'tools/t/README.md': 'words' }))).toBe(first);
    const others = [
      folderTool(`${text}  timeout: 9s\n`),
      folderTool(text, { 'tools/t/t.js': 'other' }),
      folderTool(text, { 'tools/t/t.schema.json': schemaText('other') }),
      folderTool(text, { 'tools/t/resources/x': '' }),
    ];
    const digests = await Promise.all(others.map(digest));
    expect(new Set([first, ...digests]).size).toBe(5);
  });
});

type Case = [why: string, text: string, expected: { line: number; message: RegExp; mend: RegExp }, more?: Files];
const THREAD = 'executor:\n  type: local_thread\n  entry: t.js\n';
const DOCKER = 'executor:\n  type: docker\n  image: busybox\n';

const ERRORS: Case[] = [
  [
    'no permission level',
    `${HEAD}${THREAD}`,
    { line: 1, message: /`permission_level` is missing/, mend: /permission_level: readonly/ },
  ],
  [
    'a permission level of its own',
    `${HEAD}permission_level: root\n${THREAD}`,
    { line: 5, message: /`permission_level` cannot be "root"/, mend: /user_data/ },
  ],
  [
    'no domain',
    `tool_id: t\nname: T\nversion: "1"\npermission_level: readonly\n${THREAD}`,
    { line: 1, message: /`category` is missing/, mend: /category: daily_chat/ },
  ],
  [
    'a domain that is none',
    `tool_id: t\nname: T\nversion: "1"\ncategory: a//b\npermission_level: readonly\n${THREAD}`,
    { line: 4, message: /`category` cannot be "a\/\/b"/, mend: /names of letters/ },
  ],
  [
    'an id with a slash',
    `tool_id: ../t\nname: T\nversion: "1"\ncategory: a\npermission_level: readonly\n${THREAD}`,
    { line: 1, message: /`tool_id` cannot be "..\/t"/, mend: /letters, digits/ },
  ],
  [
    '`enabled: no`, which YAML takes for a text',
    `${HEAD}enabled: no\npermission_level: readonly\n${THREAD}`,
    { line: 5, message: /`enabled` cannot be "no"/, mend: /enabled: false/ },
  ],
  [
    'persona filters without a value',
    `${HEAD}persona_filters:\npermission_level: readonly\n${THREAD}`,
    { line: 5, message: /`persona_filters` cannot be null/, mend: /\[\]/ },
  ],
  [
    'a misspelt restriction',
    `${HEAD}permission_level: readonly\nconfrim: always\n${THREAD}`,
    { line: 6, message: /misspelt `confirm`/, mend: /nearest known key is `confirm`/ },
  ],
  [
    'a misspelt switch',
    `${HEAD}permission_level: readonly\nenable: false\n${THREAD}`,
    { line: 6, message: /misspelt `enabled`/, mend: /`enabled`/ },
  ],
  [
    'a misspelt limit',
    `${HEAD}permission_level: readonly\n${THREAD}  resources: { memory: 8 }\n`,
    { line: 9, message: /misspelt `memory_mb`/, mend: /`executor.resources.memory_mb`/ },
  ],
  [
    'another format’s time-out',
    `${HEAD}permission_level: readonly\n${THREAD}  timeout_secs: 3\n`,
    { line: 9, message: /misspelt `timeout`/, mend: /`executor.timeout`/ },
  ],
  [
    'a looser confirmation than the level’s',
    `${HEAD}permission_level: user_data\nconfirm: never\n${THREAD}`,
    { line: 6, message: /looser/, mend: /confirm: first_use/ },
  ],
  [
    'a system tool asked for once',
    `${HEAD}permission_level: system\nconfirm: first_use\n${THREAD}`,
    { line: 6, message: /looser/, mend: /confirm: always/ },
  ],
  [
    'a readonly tool with a writing db operation',
    `${HEAD}permission_level: readonly\n${THREAD}  db:\n    - read_memories\n    - delete_memories\n`,
    { line: 11, message: /`delete_memories` is not an operation that reads/, mend: /user_data/ },
  ],
  [
    'a readonly tool that writes to any host',
    `${HEAD}permission_level: readonly\n${THREAD}  net: ["GET https://a.example.com",\n        "POST https://*.example.com"]\n`,
    { line: 10, message: /must not write/, mend: /exact host/ },
  ],
  [
    'an IP address',
    `${HEAD}permission_level: readonly\n${THREAD}  net: ["GET https://10.0.0.1"]\n`,
    { line: 9, message: /`executor.net\[0\]` cannot be "GET https:\/\/10.0.0.1"/, mend: /no IP address/ },
  ],
  [
    'a host without methods',
    `${HEAD}permission_level: readonly\n${THREAD}  net: ["https://example.com"]\n`,
    { line: 9, message: /`executor.net\[0\]`/, mend: /GET https/ },
  ],
  [
    'a time-out of another unit',
    `${HEAD}permission_level: readonly\n${THREAD}  timeout: 2h\n`,
    { line: 9, message: /`executor.timeout` cannot be "2h"/, mend: /10s/ },
  ],
  [
    'a time-out of 0',
    `${HEAD}permission_level: readonly\n${THREAD}  timeout: 0\n`,
    { line: 9, message: /`executor.timeout` cannot be 0/, mend: /10s/ },
  ],
  [
    'too much memory',
    `${HEAD}permission_level: readonly\n${THREAD}  resources:\n    memory_mb: 999999\n`,
    { line: 10, message: /`executor.resources.memory_mb` cannot be 999999/, mend: /8 to 8192/ },
  ],
  [
    'a variable of the platform',
    `${HEAD}permission_level: readonly\n${THREAD}  env: [LD_PRELOAD]\n`,
    { line: 9, message: /`executor.env\[0\]` cannot be "LD_PRELOAD"/, mend: /names of secrets/ },
  ],
  [
    'an image that is an option',
    `${HEAD}permission_level: readonly\nexecutor:\n  type: docker\n  image: --privileged\n`,
    { line: 8, message: /`executor.image` cannot be/, mend: /image reference/ },
  ],
  [
    'an entry outside the folder',
    `${HEAD}permission_level: readonly\nexecutor:\n  type: local_thread\n  entry: ../other/t.js\n`,
    { line: 8, message: /`executor.entry` cannot be/, mend: /without `..`/ },
  ],
  [
    'an unknown sandbox',
    `${HEAD}permission_level: readonly\nexecutor:\n  type: vm2\n`,
    { line: 7, message: /`executor.type` cannot be "vm2"/, mend: /local_thread/ },
  ],
  ['no executor', `${HEAD}permission_level: readonly\n`, { line: 1, message: /`executor` is missing/, mend: /executor:/ }],
  [
    'a thread tool without an entry',
    `${HEAD}permission_level: readonly\nexecutor:\n  type: local_thread\n`,
    { line: 7, message: /needs an `entry`/, mend: /tool.js/ },
  ],
  [
    'a missing entry',
    `${HEAD}permission_level: readonly\nexecutor:\n  type: wasm\n  entry: none.wasm\n`,
    { line: 8, message: /`tools\/t\/none.wasm` is not there/, mend: /Add the file/ },
  ],
  [
    'an empty entry',
    `${HEAD}permission_level: readonly\n${THREAD}`,
    { line: 8, message: /is empty/, mend: /code/ },
    { 'tools/t/t.js': '' },
  ],
  [
    'a wasm tool with an image',
    `${HEAD}permission_level: readonly\nexecutor:\n  type: wasm\n  entry: t.js\n  image: busybox\n`,
    { line: 9, message: /`image` is for docker tools only/, mend: /Remove/ },
  ],
  [
    'a thread tool with a network',
    `${HEAD}permission_level: readonly\n${THREAD}  network: proxy\n`,
    { line: 9, message: /docker tools only/, mend: /http steps/ },
  ],
  [
    'a thread tool with a command',
    `${HEAD}permission_level: readonly\n${THREAD}  command: [a]\n`,
    { line: 9, message: /no command line/, mend: /Remove/ },
  ],
  [
    'a docker tool with nothing to run',
    `${HEAD}permission_level: readonly\nexecutor:\n  type: docker\n`,
    { line: 7, message: /needs `image` or `build`/, mend: /build: \./ },
  ],
  [
    'a docker tool with two things to run',
    `${HEAD}permission_level: readonly\n${DOCKER}  build: .\n`,
    { line: 9, message: /not both/, mend: /Remove one/ },
  ],
  [
    'a build without a Dockerfile',
    `${HEAD}permission_level: readonly\nexecutor:\n  type: docker\n  build: .\n`,
    { line: 8, message: /no `tools\/t\/Dockerfile`/, mend: /Dockerfile/ },
  ],
  [
    'a fallback of a tool that writes',
    `${HEAD}permission_level: user_data\n${DOCKER}  entry: t.js\n  fallback: local_thread\n`,
    { line: 10, message: /Only a readonly tool/, mend: /Remove/ },
  ],
  [
    'a fallback with nothing to run',
    `${HEAD}permission_level: readonly\n${DOCKER}  fallback: local_thread\n`,
    { line: 9, message: /needs a script/, mend: /entry/ },
  ],
  [
    'a fallback to another sandbox',
    `${HEAD}permission_level: readonly\n${DOCKER}  fallback: wasm\n`,
    { line: 9, message: /`executor.fallback` cannot be "wasm"/, mend: /local_thread/ },
  ],
  [
    'secrets behind a proxy',
    `${HEAD}permission_level: readonly\n${DOCKER}  network: proxy\n  env: [KEY]\n`,
    { line: 10, message: /cannot use secrets/, mend: /http steps/ },
  ],
  ['a file that is not a mapping', '- a\n', { line: 1, message: /not a mapping/, mend: /key: value/ }],
  ['YAML that is none', `${HEAD}permission_level: readonly\nname2: "x\n`, { line: 7, message: /not valid/, mend: /./ }],
];

describe('a tool that is not right', () => {
  test.each(ERRORS)('%s: not callable, with line and mend', async (_why, text, { line, message, mend }, more) => {
    const tool = await toolOf(folderTool(text, more), 't');
    expect(tool).toMatchObject({ callable: false, permissionLevel: expect.any(String) });
    const problem = tool.problems.find((found: Problem) => message.test(found.message));
    expect(tool.problems).toContain(problem);
    expect(problem).toMatchObject({ severity: 'error', file: 'tools/t/t.yaml', line });
    expect(problem?.mend).toMatch(mend);
  });

  test.each<Case>([
    [
      'an unknown key',
      `${HEAD}permission_level: readonly\nnaem: x\n${THREAD}`,
      { line: 6, message: /Unknown key `naem`/, mend: /`name`/ },
    ],
    [
      'an unknown key of the executor',
      `${HEAD}permission_level: readonly\n${THREAD}  imagee: x\n`,
      { line: 9, message: /Unknown key `executor.imagee`/, mend: /`executor.image`/ },
    ],
    [
      'an entry that nothing uses',
      `${HEAD}permission_level: readonly\n${DOCKER}  entry: t.js\n`,
      { line: 9, message: /for its fallback only/, mend: /fallback/ },
    ],
  ])('%s is only a warning', async (_why, text, { line, message, mend }) => {
    const tool = await toolOf(folderTool(text), 't');
    expect(tool.callable).toBe(true);
    expect(tool.problems).toHaveLength(1);
    expect(tool.problems[0]).toMatchObject({ severity: 'warning', line });
    expect(tool.problems[0]?.message).toMatch(message);
    expect(tool.problems[0]?.mend).toMatch(mend);
  });

  test('several wrong values are told at once', async () => {
    const tool = await toolOf(folderTool(`tool_id: t\nname: ""\nversion: []\ncategory: a\npermission_level: x\n${THREAD}`), 't');
    expect(tool.problems.map(({ line }) => line)).toEqual([2, 3, 5]);
  });

  test('`build` and `fs: read` need a folder of their own', async () => {
    const tool = await toolOf(flatTool('plain', '', '  fs: read\n'), 'plain');
    expect(tool.problems).toMatchObject([{ severity: 'error', line: 9, mend: expect.stringContaining('folder of their own') }]);
  });

  test('what is known of it is shown all the same', async () => {
    const tool = await toolOf(folderTool(`${HEAD}permission_level: user_data\nconfirm: never\n${THREAD}`), 't');
    expect(tool).toMatchObject({
      name: 'T',
      domains: ['daily_chat'],
      permissionLevel: 'user_data',
      description: 'What t does.',
      definitionJson: '',
    });
  });

  test('a file that is too large is refused unread', async () => {
    const tool = await toolOf(folderTool(`${HEAD}# ${'x'.repeat(70_000)}\n`), 't');
    expect(tool.problems).toMatchObject([{ message: expect.stringContaining('larger than'), line: 0 }]);
  });
});
