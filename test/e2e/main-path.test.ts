import { CapabilityKind, PermissionLevel, SandboxKind } from '@yuanbot/proto/capability';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPlatform, type TestPlatform } from './test-platform.ts';

let yuanbot: TestPlatform;
beforeAll(async () => {
  yuanbot = await startTestPlatform();
});
afterAll(() => yuanbot?.[Symbol.asyncDispose]());

describe('the shipped capabilities, from outside', () => {
  it('are listed, callable, without problems', async () => {
    const { capabilities } = await yuanbot.client.listCapabilities({});
    expect(capabilities.map(({ id }) => id)).toEqual([
      'bedtime_story',
      'calculate',
      'convert_data',
      'emotional_comfort',
      'get_current_datetime',
      'proactive_checkin',
      'text_stats',
    ]);
    for (const capability of capabilities) {
      expect(capability).toMatchObject({ callable: true, enabled: true, problems: [], source: 'system' });
      expect(capability.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(capability.tokenCost).toBeGreaterThan(10);
    }
    expect(capabilities.find(({ id }) => id === 'calculate')).toMatchObject({
      kind: CapabilityKind.TOOL,
      permissionLevel: PermissionLevel.READONLY,
      sandbox: SandboxKind.LOCAL_THREAD,
    });
  });

  it('are loaded for an intent: skills whole, tools in OpenAI shape, tokens counted', async () => {
    const { skills, tools, tokens } = await yuanbot.client.loadForIntent({ domains: ['emotional_care', 'daily_chat'] });
    expect(skills.map(({ id }) => id)).toContain('emotional_comfort');
    expect(skills[0]?.prompt.length).toBeGreaterThan(100);
    expect(tools.map(({ id }) => id)).toContain('get_current_datetime');
    expect(tools.length).toBeLessThanOrEqual(3);
    for (const tool of tools) {
      expect(JSON.parse(tool.definitionJson)).toMatchObject({
        type: 'function',
        function: { name: tool.callName, parameters: { type: 'object' } },
      });
    }
    expect(tokens?.tools).toBe(tools.reduce((sum, tool) => sum + tool.tokens, 0));
    expect(tokens?.allTools).toBeGreaterThan(tokens?.tools ?? 0);
  });

  it('give out their resources piece by piece', async () => {
    const { capabilities } = await yuanbot.client.listCapabilities({ kind: CapabilityKind.SKILL });
    expect(capabilities.map(({ id }) => id)).toContain('bedtime_story');
    const { skills } = await yuanbot.client.loadForIntent({ selectedSkills: ['bedtime_story'], maxTools: 0 });
    const resource = skills[0]?.resources[0];
    if (resource === undefined) throw new Error('bedtime_story has no resources');
    const whole = await yuanbot.client.readResource({ capabilityId: 'bedtime_story', path: resource.path });
    expect(whole).toMatchObject({ end: true, info: { path: resource.path, digest: resource.digest } });
    const part = await yuanbot.client.readResource({ capabilityId: 'bedtime_story', path: resource.path, offset: 3n, limit: 6n });
    expect(Buffer.from(part.content)).toEqual(Buffer.from(whole.content).subarray(3, 9));
    expect(part.end).toBe(false);
  });
});

describe('a call runs for real', () => {
  it('in a thread', async () => {
    const result = await yuanbot.execute('calculate', { expression: '0.1 + 0.2' });
    expect(result).toMatchObject({ success: true, errorCode: '', stats: { sandbox: SandboxKind.LOCAL_THREAD, fallback: false } });
    expect(JSON.parse(result.resultJson)).toMatchObject({ result: '0.3' });
    expect(result.stats?.isolation).not.toBe('');
  });

  it('in WASM', async () => {
    const result = await yuanbot.execute('convert_data', { input: 'a,b\n1,2\n', from: 'csv', to: 'json' });
    expect(result).toMatchObject({ success: true, stats: { sandbox: SandboxKind.WASM } });
    expect(result.resultJson).toContain('a');
  });

  it('in a container', async () => {
    const result = await yuanbot.execute('text_stats', { text: '你好，世界。Hello!' });
    expect(result).toMatchObject({ success: true, stats: { sandbox: SandboxKind.DOCKER, fallback: false, isolation: 'runc' } });
    expect(JSON.parse(result.resultJson)).toMatchObject({ method: 'intl' });
  });

  it('with the clock and time zone of the platform', async () => {
    const before = Math.floor(Date.now() / 1000);
    const result = await yuanbot.execute('get_current_datetime', { timezone: 'Asia/Shanghai' });
    const { iso } = JSON.parse(result.resultJson) as { iso: string };
    expect(iso).toMatch(/\+08:00$/);
    expect(Math.floor(Date.parse(iso) / 1000)).toBeGreaterThanOrEqual(before);
  });
});
