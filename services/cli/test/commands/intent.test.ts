import { PermissionLevel } from '@yuanbot/proto/capability';
import { describe, expect, test } from 'vitest';
import { servedWorld } from '../served-world.ts';

const LOADED = {
  skills: [{ id: 'bedtime_story', name: '睡前故事', version: '1.10', prompt: '[技能激活]\n讲故事。', tokens: 250, score: 1 }],
  tools: [
    {
      id: 'calculate',
      callName: 'calculate',
      definitionJson: '{"type":"function","function":{"name":"calculate","parameters":{"maximum":12345678901234567890}}}',
      permissionLevel: PermissionLevel.READONLY,
      tokens: 90,
      score: 0.5,
    },
  ],
  tokens: { index: 12, skills: 250, tools: 90, allSkills: 800, allTools: 4000 },
};

describe('match and load', () => {
  test('send what the flags say', async () => {
    let asked: unknown;
    await using served = await servedWorld({
      loadForIntent: (request) => {
        const { domains, personaFilters, query, selectedSkills, candidateTools, maxSkills, maxTools, roles } = request;
        asked = { domains, personaFilters, query, selectedSkills, candidateTools, maxSkills, maxTools, roles };
        return {};
      },
    });
    const chosen = ['--domain', 'a', '-d', 'b/c', '--persona', 'p', '--query', '今天', '--skill', 's', '--tool', 't'];
    await served.run(['match', ...chosen, '--max-skills', '0', '--max-tools', '5', '--role', 'admin']);
    expect(asked).toEqual({
      domains: ['a', 'b/c'],
      personaFilters: ['p'],
      query: '今天',
      selectedSkills: ['s'],
      candidateTools: ['t'],
      maxSkills: 0,
      maxTools: 5,
      roles: ['admin'],
    });
    await served.run(['load']);
    expect(asked).toMatchObject({ maxSkills: undefined, maxTools: undefined });
  });

  test('match shows ids, scores and tokens, and nothing else', async () => {
    await using served = await servedWorld({ loadForIntent: () => LOADED });
    const { stdout } = await served.run(['match']);
    expect(stdout.split('\n')).toEqual([
      'KIND   ID             SCORE  TOKENS',
      'skill  bedtime_story   1.00     250',
      'tool   calculate       0.50      90',
      '',
      'tokens: 250 of 800 for skills, 90 of 4000 for tools',
      '',
    ]);
    const { stdout: json } = await served.run(['match', '--json']);
    expect(JSON.parse(json)).toEqual({
      skills: [{ id: 'bedtime_story', name: '睡前故事', version: '1.10', score: 1, tokens: 250 }],
      tools: [{ id: 'calculate', call_name: 'calculate', permission_level: 'readonly', score: 0.5, tokens: 90 }],
      deactivated_skills: [],
      abstained: false,
      tokens: { index: 12, skills: 250, tools: 90, all_skills: 800, all_tools: 4000 },
    });
  });

  test('load shows prompts and definitions whole, numbers as they were', async () => {
    await using served = await servedWorld({ loadForIntent: () => LOADED });
    const { stdout } = await served.run(['load']);
    expect(stdout).toContain('# skill bedtime_story · 睡前故事 1.10 · 250 tokens\n\n[技能激活]\n讲故事。\n');
    expect(stdout).toContain('"maximum": 12345678901234567890');
    const { stdout: json } = await served.run(['load', '--json']);
    expect(JSON.parse(json).skills[0].prompt).toBe('[技能激活]\n讲故事。');
    expect(json).toContain('"maximum": 12345678901234567890');
  });
});
