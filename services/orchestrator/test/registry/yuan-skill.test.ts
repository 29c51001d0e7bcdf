import { describe, expect, test } from 'vitest';
import { countTokens } from '../../src/registry/token-count.ts';
import { type Files, flatSkill, registryOf } from './temporary-source.ts';

const SEED_FILE = `skill_id: emotional_comfort
name: "情绪安抚"
version: "1.0.0"
category: emotional_care
capability_tags: ["comfort", "anxiety", "sadness", "anger"]
persona_filters: []  # 空表示所有人格可用
token_cost_estimate: 250
definition_file: "emotional_comfort.def.yaml"  # 相对路径，位于同目录
`;

const SEED_DEFINITION = `name: emotional_comfort
description: "当用户表达负面情绪时，提供温柔的共情与安抚，引导其放松。"
prompt_template: |
  [技能激活：情绪安抚]
  1. 首先用温暖的语言承认用户的情绪。
  ---
  2. {{user}} 与 {plain} 都保持原样（如💕、🥺）。
steps:
  - acknowledge: true
  - guide_gently: optional
`;

async function skillOf(files: Files, id: string) {
  return (await registryOf(files)).snapshot().get(id);
}

describe('a skill in the Yuan format', () => {
  test('seed 003 §4.1 and §4.2 as they are written there, the prompt whole', async () => {
    const prompt =
      '[技能激活：情绪安抚]\n1. 首先用温暖的语言承认用户的情绪。\n---\n2. {{user}} 与 {plain} 都保持原样（如💕、🥺）。\n';
    expect(
      await skillOf(
        { 'skills/emotional_comfort.yaml': SEED_FILE, 'skills/emotional_comfort.def.yaml': SEED_DEFINITION },
        'emotional_comfort',
      ),
    ).toMatchObject({
      kind: 'skill',
      name: '情绪安抚',
      version: '1.0.0',
      description: '当用户表达负面情绪时，提供温柔的共情与安抚，引导其放松。',
      domains: ['emotional_care'],
      tags: ['comfort', 'anxiety', 'sadness', 'anger'],
      personaFilters: [],
      enabled: true,
      callable: true,
      problems: [],
      promptTemplate: prompt,
      tokenCost: countTokens(prompt),
    });
  });

  test('in a folder of its own it brings resources', async () => {
    const skill = await skillOf(
      {
        'skills/s/s.yaml': 'skill_id: s\nname: S\nversion: 1\ncategory: a\n',
        'skills/s/s.def.yaml': 'prompt_template: x\n',
        'skills/s/resources/音效/rain.mp3': 'mp3',
      },
      's',
    );
    expect(skill).toMatchObject({
      version: '1',
      callable: true,
      resources: [{ path: 'resources/音效/rain.mp3', size: 3, mediaType: 'audio/mpeg' }],
    });
  });

  test.each<[why: string, files: Files, file: string, line: number, message: RegExp, mend: RegExp]>([
    [
      'no definition',
      { 'skills/s.yaml': 'skill_id: s\nname: S\nversion: 1\ncategory: a\n' },
      'skills/s.def.yaml',
      0,
      /not there/,
      /definition_file/,
    ],
    [
      'no prompt',
      { ...flatSkill('s'), 'skills/s.def.yaml': 'name: s\ndescription: x\n' },
      'skills/s.def.yaml',
      1,
      /`prompt_template` is missing/,
      /prompt_template: \|/,
    ],
    [
      'an empty prompt',
      { ...flatSkill('s'), 'skills/s.def.yaml': 'name: s\nprompt_template: " "\n' },
      'skills/s.def.yaml',
      2,
      /`prompt_template` cannot be " "/,
      /prompt_template: \|/,
    ],
    [
      'an unquoted colon in the description',
      { ...flatSkill('s'), 'skills/s.def.yaml': 'name: s\ndescription: when: sad\nprompt_template: x\n' },
      'skills/s.def.yaml',
      2,
      /not valid/,
      /quotes/,
    ],
    ['no domain', flatSkill('s', ''), 'skills/s.yaml', 1, /`category` is missing/, /category:/],
    [
      'a misspelt persona filter',
      flatSkill('s', 'category: a\npersona_filter: [x]\n'),
      'skills/s.yaml',
      5,
      /misspelt `persona_filters`/,
      /persona_filters/,
    ],
    [
      'a definition elsewhere',
      flatSkill('s', 'category: a\ndefinition_file: /etc/passwd\n'),
      'skills/s.yaml',
      5,
      /`definition_file` cannot be/,
      /without `..`/,
    ],
  ])('%s: not callable, with file, line and mend', async (_why, files, file, line, message, mend) => {
    const skill = await skillOf(files, 's');
    expect(skill).toMatchObject({ kind: 'skill', callable: false, promptTemplate: '' });
    expect(skill?.problems[0]).toMatchObject({ severity: 'error', file, line });
    expect(skill?.problems[0]?.message).toMatch(message);
    expect(skill?.problems[0]?.mend).toMatch(mend);
  });
});
