import { describe, expect, it } from 'vitest';
import { problemsOf } from './config-source.ts';

describe('problems of the file', () => {
  it('are told all at once, with line, key, what is allowed and the nearest known key', async () => {
    const text = `capabilities:
  max_tool_per_turn: 3
  default_type: wasm
  max_skills_per_turn: 0.5
  tool_execution_timeout: 10 sec
  max_params_bytes: 1MB
  loading_strategy: lazy
  sandbox:
    wasm_runtime: wasmtime
    docker:
      build:
        network: "no"
      socket: unix:///run/docker.sock
  default_limits: [1]
orchestrator:
  listen: :7420
sandbox_managr: {}
__proto__: { level: info }
log: 3
`;
    expect(await problemsOf(text)).toEqual([
      'The configuration has 14 problems:',
      '  bot.yaml:2: capabilities.max_tool_per_turn: unknown key; the nearest known one is capabilities.max_tools_per_turn',
      '  bot.yaml:3: capabilities.default_type: unknown key; the nearest known one is capabilities.sandbox.default_type',
      '  bot.yaml:4: capabilities.max_skills_per_turn: must be a whole number from 0 to 1000, not 0.5',
      '  bot.yaml:5: capabilities.tool_execution_timeout: must be a duration from 1ms to 1h (500ms, 10s, 5m, 1h, or a number of seconds), not "10 sec"',
      '  bot.yaml:6: capabilities.max_params_bytes: must be a size from 1KiB to 64MiB (256KiB, 1MiB, or a number of bytes), not "1MB"',
      '  bot.yaml:7: capabilities.loading_strategy: must be one of progressive, full, not "lazy"',
      '  bot.yaml:9: capabilities.sandbox.wasm_runtime: "wasmtime" is not available: no maintained Node binding of wasmtime or another runtime exists, wasm tools run in V8; write wasm_runtime: v8',
      '  bot.yaml:12: capabilities.sandbox.docker.build.network: must be true or false, not "no"',
      '  bot.yaml:13: capabilities.sandbox.docker.socket: must be an absolute path, not "unix:///run/docker.sock"',
      '  bot.yaml:14: capabilities.default_limits: must be a section of keys, not a list',
      '  bot.yaml:16: orchestrator.listen: ":7420" is not an address; write host:port (port 0 to 65535), [IPv6]:port or unix:/path',
      '  bot.yaml:17: sandbox_managr: unknown key; the nearest known one is sandbox_manager',
      expect.stringMatching(/^ {2}bot\.yaml:18: __proto__: unknown key; the nearest known one is /),
      '  bot.yaml:19: log: must be a section of keys, not 3',
    ]);
  });

  it.each([
    ['log:\n  level: info\n level: debug\n', 'bot.yaml:3: is not valid YAML: All mapping items must start at the same column'],
    ['log:\n\tlevel: info\n', 'bot.yaml:2: is not valid YAML: Tabs are not allowed as indentation'],
    [
      'log: {}\n---\nlog: {}\n',
      'bot.yaml:2: is not valid YAML: Source contains multiple documents; please use YAML.parseAllDocuments()',
    ],
    ['log: {}\nlog: {}\n', 'bot.yaml:2: is not valid YAML: Map keys must be unique'],
    ['log: { level: !secret info }\n', 'bot.yaml:1: is not valid YAML: Unresolved tag: !secret'],
    ['log: &l { level: info }\n', 'bot.yaml:1: the anchor &l is not allowed here; write the value where it counts'],
    ['? [a, b]\n: 1\n', 'bot.yaml:1: is not valid YAML: With stringKeys, all keys must be strings'],
    ['- a\n', 'bot.yaml:1: must be a section of keys, not a list'],
  ])('name the line of bad YAML: %j', async (text, problem) => {
    expect(await problemsOf(text)).toContain(`  ${problem}`);
  });

  it('include an alias, which could make a small file large', async () => {
    expect(await problemsOf('log: &l { level: info }\nauth: *l\n')).toEqual([
      'The configuration has 2 problems:',
      '  bot.yaml:1: the anchor &l is not allowed here; write the value where it counts',
      '  bot.yaml:2: the alias *l is not allowed here; write the value out',
    ]);
  });

  it('show no control characters and no long values', async () => {
    expect(await problemsOf(`log: { level: "\\e[31m${'x'.repeat(100)}" }`)).toEqual([
      'The configuration has 1 problem:',
      `  bot.yaml:1: log.level: must be one of trace, debug, info, warn, error, fatal, not "\\u001b[31m${'x'.repeat(49)}…`,
    ]);
  });
});

describe('servers while auth.mode is none', () => {
  it('may listen on loopback and unix sockets only', async () => {
    const text = `orchestrator:
  listen: 0.0.0.0:7420
  http: "[::]:7421"
sandbox_manager:
  listen: manager:7430
`;
    const write =
      'may be reached from other machines, which auth.mode: none forbids; write 127.0.0.1:port, [::1]:port, localhost:port or unix:/path';
    expect(await problemsOf(text, { YUANBOT_SANDBOX_MANAGER__HTTP: '10.0.0.1:7431' })).toEqual([
      'The configuration has 4 problems:',
      `  bot.yaml:2: orchestrator.listen: "0.0.0.0:7420" ${write}`,
      `  bot.yaml:3: orchestrator.http: "[::]:7421" ${write}`,
      `  bot.yaml:5: sandbox_manager.listen: "manager:7430" ${write}`,
      `  YUANBOT_SANDBOX_MANAGER__HTTP: sandbox_manager.http: "10.0.0.1:7431" ${write}`,
    ]);
  });

  it('are refused beside other problems too', async () => {
    expect(await problemsOf('orchestrator: { listen: "0.0.0.0:1", drain_timeout: never }\nauth: { mode: none }')).toHaveLength(3);
  });
});
