import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { match } from '../../src/matching/match.ts';
import { createSieve, END, inBoth, mergeSorted, type Walk } from '../../src/matching/sorted-lists.ts';
import { createSnapshot, createSnapshotBase, type IndexedSnapshot } from '../../src/registry/snapshot.ts';
import { skill, tool } from './capabilities.ts';

const label = (values: string[]) => fc.constantFrom(...values);
const domain = fc
  .array(label(['daily_chat', 'daily_chatter', 'weather', 'x']), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const persona = label(['gentle', 'snarky', 'p3']);
const capability = fc.record({
  kind: label(['skill', 'tool', 'tool']),
  domains: fc.uniqueArray(domain, { minLength: 1, maxLength: 3 }),
  personaFilters: fc.uniqueArray(persona, { maxLength: 2 }),
  callable: fc.boolean(),
});

function snapshotOf(capabilities: Parameters<typeof createSnapshotBase>[0]['capabilities']): IndexedSnapshot {
  return createSnapshot(createSnapshotBase({ capabilities, problems: [] }), new Map());
}

function idsOf(snapshot: IndexedSnapshot, request: Parameters<typeof match>[1]): string[] {
  return [...match(snapshot, request)].map(({ id }) => id);
}

describe('matching', () => {
  test('finds what a look at every capability would find, in the order of the ids', () => {
    fc.assert(
      fc.property(
        fc.array(capability, { maxLength: 30 }),
        fc.record({
          kind: fc.constantFrom('skill', 'tool'),
          domains: fc.array(domain, { maxLength: 4 }),
          personas: fc.array(persona, { maxLength: 2 }),
        }),
        (drawn, request) => {
          const capabilities = drawn.map(({ kind, ...fields }, index) =>
            (kind === 'skill' ? skill : tool)({ id: String(index).padStart(3, '0'), ...fields }),
          );
          const expected = capabilities.filter(
            ({ kind, callable, domains, personaFilters }) =>
              kind === request.kind &&
              callable &&
              (request.domains.length === 0 ||
                domains.some((own) => request.domains.some((wanted) => own === wanted || own.startsWith(`${wanted}/`)))) &&
              (personaFilters.length === 0 || personaFilters.some((own) => request.personas.includes(own))),
          );
          expect(idsOf(snapshotOf(capabilities), request)).toEqual(expected.map(({ id }) => id));
        },
      ),
    );
  });

  test('an unknown domain matches nothing, no domain matches everything', () => {
    const snapshot = snapshotOf([
      tool({ id: 'a', domains: ['daily_chat/weather'] }),
      tool({ id: 'b', domains: ['daily_chatter'] }),
    ]);
    expect(idsOf(snapshot, { kind: 'tool', domains: ['nowhere'], personas: [] })).toEqual([]);
    expect(idsOf(snapshot, { kind: 'tool', domains: ['daily_chat'], personas: [] })).toEqual(['a']);
    expect(idsOf(snapshot, { kind: 'tool', domains: [], personas: [] })).toEqual(['a', 'b']);
  });

  test('what a sandbox found broken is not matched', () => {
    const [good, bad] = [tool({ id: 'a' }), tool({ id: 'b' })];
    const problem = { severity: 'error', file: bad.file, line: 0, message: 'm', mend: 'n', foundBy: 'sandbox' } as const;
    const found = new Map([['b', { executorDigest: bad.executor.digest, problem }]]);
    const snapshot = createSnapshot(createSnapshotBase({ capabilities: [good, bad], problems: [] }), found);
    expect(idsOf(snapshot, { kind: 'tool', domains: [], personas: [] })).toEqual(['a']);
  });

  test('whoever takes one capability does not pay for the others', () => {
    const snapshot = snapshotOf(Array.from({ length: 100 }, (_, index) => tool({ id: String(index + 100) })));
    let looked = 0;
    const counting: IndexedSnapshot = {
      ...snapshot,
      at(place) {
        looked++;
        return snapshot.at(place);
      },
    };
    const [first] = match(counting, { kind: 'tool', domains: [], personas: [] });
    expect(first?.id).toBe('100');
    expect(looked).toBe(1);
  });
});

function placesOf(walk: Walk): number[] {
  const places: number[] = [];
  for (let place = walk(); place !== END; place = walk()) places.push(place);
  return places;
}

describe('ascending lists', () => {
  const ascending = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 20 }).map((list) => list.sort((a, b) => a - b));

  test('are merged like sets', () => {
    fc.assert(
      fc.property(fc.array(ascending, { maxLength: 5 }), (lists) => {
        expect(placesOf(mergeSorted(lists))).toEqual([...new Set(lists.flat())].sort((a, b) => a - b));
      }),
    );
  });

  test('are sieved like sets', () => {
    fc.assert(
      fc.property(fc.array(ascending, { maxLength: 4 }), ascending, (lists, asked) => {
        const isIn = createSieve(lists);
        expect(asked.filter((place) => isIn(place))).toEqual(asked.filter((place) => lists.some((list) => list.includes(place))));
      }),
    );
  });

  test('are intersected like sets, whichever is longer', () => {
    const lists = fc.array(ascending, { maxLength: 4 });
    fc.assert(
      fc.property(lists, lists, (one, other) => {
        const both = new Set(one.flat()).intersection(new Set(other.flat()));
        expect(placesOf(inBoth(one, other))).toEqual([...both].sort((a, b) => a - b));
      }),
    );
  });
});
