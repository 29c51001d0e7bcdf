import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRegistry } from '../../src/registry/create-registry.ts';
import type { Problem } from '../../src/registry/model.ts';
import { boundProblem, boundProblems, MAX_PROBLEMS_OF_FILE, MAX_TEXT } from '../../src/registry/problem-limits.ts';
import { DEFAULTS, flatTool, registryOf, sourceAt, temporaryRoot } from './temporary-source.ts';

const problem = (fields: Partial<Problem>): Problem => ({
  severity: 'warning',
  file: 'f',
  line: 1,
  message: 'm',
  mend: 'n',
  ...fields,
});

describe('what is told of many problems', () => {
  test('is the first of each file and how many more, errors before warnings, in the order they were found', () => {
    const warnings = Array.from({ length: 50 }, (_, line) => problem({ line }));
    const bounded = boundProblems([...warnings, problem({ severity: 'error', line: 99 }), problem({ file: 'g' })], 100);
    expect(bounded).toHaveLength(MAX_PROBLEMS_OF_FILE + 2);
    expect(bounded[0]).toEqual(warnings[0]);
    expect(bounded[MAX_PROBLEMS_OF_FILE - 1]).toMatchObject({ severity: 'error', line: 99 });
    expect(bounded[MAX_PROBLEMS_OF_FILE]).toMatchObject({ file: 'f', message: '… and 31 more like these.' });
    expect(bounded.at(-1)).toEqual(problem({ file: 'g' }));
  });

  test('is the same problem once', () => {
    expect(boundProblems(Array(8).fill(problem({})), 100)).toEqual([problem({})]);
  });

  test('is bounded whatever they are, and has an error when they have one', () => {
    const any = fc.record({
      severity: fc.constantFrom('warning' as const, 'error' as const),
      file: fc.constantFrom('a', 'b', 'c'),
      line: fc.nat(5000),
      message: fc.string({ unit: 'grapheme', maxLength: 1200 }),
      mend: fc.string({ maxLength: 1200 }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 90 }), fc.integer({ min: 1, max: 40 }), (problems, max) => {
        const bounded = boundProblems(problems, max);
        expect(bounded.length).toBeLessThanOrEqual(max + 1);
        expect(bounded.some(({ severity }) => severity === 'error')).toBe(problems.some(({ severity }) => severity === 'error'));
        for (const { message, mend } of bounded) {
          expect(Math.max(message.length, mend.length)).toBeLessThanOrEqual(MAX_TEXT);
        }
      }),
    );
  });

  test('never ends in half a character', () => {
    expect(boundProblem(problem({ message: 'x'.repeat(MAX_TEXT - 2) + '🥺'.repeat(9) })).message.isWellFormed()).toBe(true);
  });
});

describe('a hostile plugin', () => {
  const unknownKeys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}: 1\n`).join('');

  test('of six thousand unknown keys has few problems, and a misspelt restriction is among them', async () => {
    const registry = await registryOf(flatTool('t', `${unknownKeys(5900)}confrim: always\n`));
    const problems = registry.snapshot().get('t')?.problems ?? [];
    expect(problems).toHaveLength(MAX_PROBLEMS_OF_FILE + 1);
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { message: expect.stringContaining('`confrim`') },
    ]);
    expect(problems.at(-1)?.message).toBe('… and 5881 more like these.');
  });

  test.each<[what: string, text: string]>([
    ['a key', `tool_id: t\n? ${'k'.repeat(60_000)}\n: 1\n`],
    ['a key that is there twice', `tool_id: t\n? ${'k'.repeat(25_000)}\n: 1\n? ${'k'.repeat(25_000)}\n: 1\n`],
    ['a value', `tool_id: ${'v'.repeat(60_000)}\n`],
    ['an alias', `tool_id: *${'a'.repeat(60_000)}\n`],
    ['a tag', `tool_id: t\nname: !${'t'.repeat(60_000)} x\n`],
    ['a number', `tool_id: t\npermission_level: ${'9'.repeat(60_000)}\n`],
  ])('with %s of any length is told in few words, in the listing and in the log', async (_what, text) => {
    const logged: string[] = [];
    const note = (fields: object, message: string) => logged.push(JSON.stringify(fields) + message);
    const files = { 'tools/t.yaml': text };
    const registry = await createRegistry({
      sources: [sourceAt(await temporaryRoot(files))],
      defaults: DEFAULTS,
      log: { info: note, warn: note },
    });
    const problems = registry.snapshot().get('t')?.problems ?? [];
    expect(problems.length).toBeGreaterThan(0);
    for (const { message, mend } of problems) expect(Math.max(message.length, mend.length)).toBeLessThanOrEqual(MAX_TEXT);
    expect(logged.join('').length).toBeLessThan(10_000);
  });

  test('has its share of what is told of files that no capability came of', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`tools/-${at}.yaml`, 'x: "']));
    const problems = (await registryOf(files)).snapshot().problems();
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)?.message).toBe('… and 200 more like these.');
  });

  test('that claims one id in many files makes one entry of few words', async () => {
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`tools/f${at}.yaml`, 'tool_id: same\n']));
    const [only, ...others] = (await registryOf(files)).snapshot().all();
    expect(others).toEqual([]);
    expect(only?.callable).toBe(false);
    expect(only?.problems.length).toBeLessThanOrEqual(61);
    expect(only?.problems[0]?.message).toMatch(/and 197 more/);
  });

  test('whose sandbox says a lot is told in few words', async () => {
    const registry = await registryOf(flatTool('t'));
    const digest = registry.snapshot().tool('t')?.executor.digest ?? '';
    registry.reportPreparation('t', digest, problem({ message: 'x'.repeat(100_000) }));
    expect(registry.snapshot().get('t')?.problems[0]?.message).toHaveLength(MAX_TEXT);
  });
});
