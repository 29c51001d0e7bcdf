import { describe, expect, it } from 'vitest';
import { load, problemsOf } from './config-source.ts';

describe('a variable', () => {
  it('overrides its key of the file, and nothing else', async () => {
    const config = await load(
      'capabilities: { max_tools_per_turn: 5, sandbox: { default_type: docker, docker: { max_containers: 3 } } }',
      {
        YUANBOT_CAPABILITIES__SANDBOX__DEFAULT_TYPE: 'wasm',
        YUANBOT_CAPABILITIES__TOOL_EXECUTION_TIMEOUT: '2.5',
        YUANBOT_CAPABILITIES__SANDBOX__DOCKER__BUILD__NETWORK: 'true',
      },
    );
    expect(config.capabilities).toMatchObject({
      maxToolsPerTurn: 5,
      toolExecutionTimeoutMs: 2500,
      sandbox: { defaultType: 'wasm', docker: { maxContainers: 3, build: { network: true } } },
    });
  });

  it('of a text key is taken as it stands', async () => {
    const config = await load('', { YUANBOT_ORCHESTRATOR__LISTEN: '[::1]:7420', YUANBOT_PLUGINS__SYSTEM: '/p: {a}' });
    expect(config.orchestrator.listen).toEqual({ kind: 'tcp', host: '::1', port: 7420 });
    expect(config.plugins.system).toBe('/p: {a}');
  });

  it('may set a whole section; a deeper one wins over it, whatever their order', async () => {
    const section = { YUANBOT_CAPABILITIES__SANDBOX__THREAD: '{ hosts: 3, workers_per_host: 5 }' };
    const key = { YUANBOT_CAPABILITIES__SANDBOX__THREAD__HOSTS: '4' };
    for (const env of [
      { ...section, ...key },
      { ...key, ...section },
    ]) {
      expect((await load('', env)).capabilities.sandbox.thread).toEqual({ hosts: 4, workersPerHost: 5 });
    }
  });

  it('that is no key may only be one of the few others', async () => {
    await load('', {
      YUANBOT_DATA: '/d',
      YUANBOT_CONFIG: 'x',
      YUANBOT_ADDRESS: 'unix:/x',
      YUANBOT_TEST_DOCKER: '1',
      PATH: '/bin',
      YUANBOTANIST: '1',
    });
    expect(await problemsOf('', { YUANBOT_DATABASE: '/d', YUANBOT_TEST_: '1' })).toHaveLength(3);
  });

  it('of a Kubernetes service link is left alone', async () => {
    await load('', {
      YUANBOT_PORT: 'tcp://10.0.0.1:7420',
      YUANBOT_SERVICE_HOST: '10.0.0.1',
      YUANBOT_ORCHESTRATOR_SERVICE_HOST: '10.0.0.1',
      YUANBOT_ORCHESTRATOR_SERVICE_PORT: '7420',
      YUANBOT_ORCHESTRATOR_SERVICE_PORT_GRPC: '7420',
      YUANBOT_ORCHESTRATOR_PORT: 'tcp://10.0.0.1:7420',
      YUANBOT_ORCHESTRATOR_PORT_7420_TCP: 'tcp://10.0.0.1:7420',
      YUANBOT_ORCHESTRATOR_PORT_7420_TCP_PROTO: 'tcp',
      YUANBOT_ORCHESTRATOR_PORT_7420_TCP_ADDR: '10.0.0.1',
    });
    expect(await problemsOf('', { YUANBOT_ORCHESTRATOR_PORT: '7420', YUANBOT_ORCHESTRATOR__PORT: 'tcp://a' })).toHaveLength(3);
  });
});

describe('problems of variables', () => {
  it('name the variable, all at once, beside those of the file', async () => {
    const env = {
      YUANBOT_CAPABILITES__SANDBOX__DEFAULT_TYPE: 'wasm',
      YUANBOT_LOG__LEVEL: 'loud',
      YUANBOT_LOG__FORMAT: '',
      YUANBOT_ORCHESTRATOR__MAX_MESSAGE_MB: '[1',
      YUANBOT_CAPABILITIES__SANDBOX__WASM: '{ host: 1 }',
    };
    expect(await problemsOf('lgo: {}', env)).toEqual([
      'The configuration has 6 problems:',
      '  bot.yaml:1: lgo: unknown key; the nearest known one is log',
      '  YUANBOT_CAPABILITES__SANDBOX__DEFAULT_TYPE: unknown variable; the nearest known one is YUANBOT_CAPABILITIES__SANDBOX__DEFAULT_TYPE',
      '  YUANBOT_LOG__FORMAT: log.format: is empty; give it a value, or unset the variable',
      expect.stringMatching(/^ {2}YUANBOT_ORCHESTRATOR__MAX_MESSAGE_MB: orchestrator\.max_message_mb: is not valid YAML: /),
      '  YUANBOT_CAPABILITIES__SANDBOX__WASM: capabilities.sandbox.wasm.host: unknown key; the nearest known one is capabilities.sandbox.wasm.hosts',
      '  YUANBOT_LOG__LEVEL: log.level: must be one of trace, debug, info, warn, error, fatal, not "loud"',
    ]);
  });

  it('leave a wrong section of the file visible', async () => {
    expect(await problemsOf('log: 3', { YUANBOT_LOG__LEVEL: 'debug' })).toEqual([
      'The configuration has 1 problem:',
      '  bot.yaml:1: log: must be a section of keys, not 3',
    ]);
  });

  it('never show the value of a variable that is not known', async () => {
    expect((await problemsOf('', { YUANBOT_SECRET: 'hunter2' })).join('\n')).not.toContain('hunter2');
  });
});
