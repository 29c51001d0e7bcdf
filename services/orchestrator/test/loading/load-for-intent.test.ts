import { describe, expect, test } from 'vitest';
import { createLoadForIntent, type LoadSettings } from '../../src/loading/load-for-intent.ts';
import type { LoadRequest } from '../../src/loading/load-request.ts';
import { rankById } from '../../src/matching/rank.ts';
import type { Capability } from '../../src/registry/model.ts';
import { createSnapshot, createSnapshotBase } from '../../src/registry/snapshot.ts';
import { skill, tool } from '../matching/capabilities.ts';

const ERROR = { severity: 'error', file: 'tools/t.yaml', line: 1, message: 'wrong', mend: 'right' } as const;

const SETTINGS: LoadSettings = { strategy: 'progressive', maxSkills: 2, maxTools: 3 };

const ANY: LoadRequest = {
  domains: [],
  persona: '',
  personaFilters: [],
  query: '',
  roles: [],
  selectedSkills: [],
  candidateTools: [],
  maxSkills: undefined,
  maxTools: undefined,
  tokenBudget: 0,
};

const CAPABILITIES: Capability[] = [
  skill({ id: 's1' }),
  skill({ id: 's2', domains: ['emotional_care'] }),
  skill({ id: 's3', personaFilters: ['snarky'] }),
  skill({ id: 's4', enabled: false, callable: false }),
  tool({ id: 't0', permissionLevel: 'system', confirm: 'always' }),
  tool({ id: 't1' }),
  tool({ id: 't2', callable: false, problems: [ERROR] }),
  tool({ id: 't9', callable: false, problems: [{ ...ERROR, foundBy: 'sandbox' }] }),
  tool({ id: 't3', domains: ['knowledge_query'] }),
  tool({ id: 't4' }),
  tool({ id: 't5', permissionLevel: 'user_data', confirm: 'first_use' }),
];

function load(request: Partial<LoadRequest>, settings = SETTINGS, capabilities = CAPABILITIES) {
  const snapshot = createSnapshot(
    createSnapshotBase({ capabilities: capabilities.toSorted((a, b) => (a.id < b.id ? -1 : 1)), problems: [] }),
    new Map(),
  );
  const result = createLoadForIntent(settings, rankById)(snapshot, { ...ANY, ...request });
  return {
    ...result,
    skills: result.skills.map(({ capability }) => capability.id),
    tools: result.tools.map(({ capability }) => capability.id),
  };
}

describe('what a turn is offered', () => {
  test('two skills and three tools at most, by domain and persona, and not what the user may not run', () => {
    expect(load({})).toMatchObject({ skills: ['s1', 's2'], tools: ['t1', 't3', 't4'], abstained: false, refused: [] });
    expect(load({ domains: ['daily_chat'] })).toMatchObject({ skills: ['s1'], tools: ['t1', 't4', 't5'] });
    expect(load({ persona: 'snarky', domains: ['daily_chat'] })).toMatchObject({ skills: ['s1', 's3'] });
    expect(load({ personaFilters: ['snarky'], maxSkills: 9 })).toMatchObject({ skills: ['s1', 's2', 's3'] });
    expect(load({ roles: ['admin'] })).toMatchObject({ tools: ['t0', 't1', 't3'] });
  });

  test('nothing, and it says so, when nothing fits', () => {
    expect(load({ domains: ['nowhere'] })).toMatchObject({ skills: [], tools: [], abstained: true });
    expect(load({ maxSkills: 0, maxTools: 0 })).toMatchObject({ skills: [], tools: [], abstained: false });
  });

  test('a directive’s choices first, in its order, whatever their domain, still filtered, each once', () => {
    expect(
      load({
        domains: ['daily_chat'],
        selectedSkills: ['s4', 's2', 's3', 's2', 't1', 'nobody'],
        candidateTools: ['t5', 't0', 't3', 't2', 't5'],
      }),
    ).toMatchObject({
      skills: ['s2', 's1'],
      tools: ['t5', 't3', 't1'],
      refused: [
        { id: 's4', reason: 'disabled' },
        { id: 's3', reason: 'other_persona' },
        { id: 't1', reason: 'unknown' },
        { id: 'nobody', reason: 'unknown' },
        { id: 't0', reason: 'role_missing' },
        { id: 't2', reason: 'broken' },
      ],
    });
  });

  test('a tool that its sandbox could not start only when it is asked for by name', () => {
    expect(load({ domains: ['daily_chat'], maxTools: 20 }).tools).not.toContain('t9');
    expect(load({ candidateTools: ['t9'] })).toMatchObject({ tools: ['t9', 't1', 't3'], refused: [] });
  });

  test('a directive does not get more than the numbers allow', () => {
    expect(load({ candidateTools: ['t5', 't4', 't3', 't1'] }).tools).toEqual(['t5', 't4', 't3']);
    expect(load({ candidateTools: ['t5', 't4'], maxTools: 1 }).tools).toEqual(['t5']);
  });

  test('everything that passes the filters with the strategy `full`, unless the request names a number', () => {
    const full = { ...SETTINGS, strategy: 'full' } as const;
    expect(load({}, full)).toMatchObject({ skills: ['s1', 's2'], tools: ['t1', 't3', 't4', 't5'] });
    expect(load({ maxTools: 1 }, full)).toMatchObject({ tools: ['t1'] });
  });

  test('what the token budget holds, whole, the directive’s choices preferred, a large one not in the way of smaller ones', () => {
    const request = { selectedSkills: ['s2'], candidateTools: ['t5'] };
    expect(load({ ...request, tokenBudget: 400 })).toMatchObject({
      skills: ['s2', 's1'],
      tools: ['t5', 't1', 't3'],
      tokens: { skills: 200, tools: 150 },
    });
    expect(load({ ...request, tokenBudget: 349 })).toMatchObject({ skills: ['s2', 's1'], tools: ['t5', 't1'] });
    expect(load({ ...request, tokenBudget: 249 })).toMatchObject({
      skills: ['s2'],
      tools: ['t5', 't1'],
      tokens: { skills: 100, tools: 100 },
    });
    expect(load({ ...request, tokenBudget: 99 })).toMatchObject({ skills: [], tools: ['t5'], tokens: { skills: 0, tools: 50 } });
    expect(load({ ...request, tokenBudget: 49 })).toMatchObject({
      skills: [],
      tools: [],
      abstained: false,
      tokens: { skills: 0, tools: 0 },
    });
  });

  test('with the tokens it takes, and those that everything callable would take', () => {
    expect(load({ domains: ['knowledge_query'] }).tokens).toEqual({
      index: 0,
      skills: 0,
      tools: 50,
      allSkills: 300,
      allTools: 250,
    });
  });

  test('ranked by what is passed in', () => {
    const snapshot = createSnapshot(createSnapshotBase({ capabilities: CAPABILITIES, problems: [] }), new Map());
    const backwards = createLoadForIntent(SETTINGS, (matched, query) =>
      [...matched].reverse().map((capability) => ({ capability, score: query.length })),
    );
    expect(backwards(snapshot, { ...ANY, query: 'abc' }).tools.map(({ capability, score }) => [capability.id, score])).toEqual([
      ['t5', 3],
      ['t4', 3],
      ['t3', 3],
    ]);
  });

  test.each<[Partial<LoadRequest>, RegExp]>([
    [{ domains: [''] }, /domains\[0\] is empty/],
    [{ domains: Array(65).fill('a') }, /domains has 65 entries/],
    [{ candidateTools: ['x'.repeat(513)] }, /candidate_tools\[0\] is longer/],
    [{ persona: 'x'.repeat(513) }, /persona is longer/],
  ])('a request that is unfit is refused', (request, message) => {
    expect(() => load(request)).toThrow(
      expect.objectContaining({ name: 'RequestError', kind: 'invalid', message: expect.stringMatching(message) }),
    );
  });
});
