import { toBinary } from '@bufbuild/protobuf';
import { create } from '@yuanbot/proto';
import { CapabilityInfoSchema, ListCapabilitiesResponseSchema } from '@yuanbot/proto/capability';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromCapability, fromProblem } from '../../src/grpc/capability-messages.ts';
import { type ListRequest, listCapabilities } from '../../src/loading/list-capabilities.ts';
import { listedBytes } from '../../src/loading/listed-bytes.ts';
import type { Capability } from '../../src/registry/model.ts';
import { createSnapshot, createSnapshotBase } from '../../src/registry/snapshot.ts';
import { skill, tool } from '../matching/capabilities.ts';
import { type Files, registryOf } from '../registry/temporary-source.ts';

const ALL: ListRequest = {
  domainPrefix: '',
  kind: undefined,
  includeDisabled: false,
  permissionLevel: undefined,
  tags: [],
  pageSize: 0,
  pageToken: '',
};

const snapshotOf = (capabilities: readonly Capability[]) =>
  createSnapshot(
    createSnapshotBase({ capabilities: capabilities.toSorted((a, b) => (a.id < b.id ? -1 : 1)), problems: [] }),
    new Map(),
  );

const SNAPSHOT = snapshotOf([
  skill({ id: 'a', domains: ['daily_chat/weather'], tags: ['x'] }),
  skill({ id: 'b', enabled: false, callable: false, tags: ['x', 'y'] }),
  tool({ id: 'c', domains: ['daily_chatter'], permissionLevel: 'user_data', tags: ['y', 'x'] }),
  tool({ id: 'd', callable: false, problems: [{ severity: 'error', file: 'tools/d.yaml', line: 1, message: 'm', mend: 'n' }] }),
]);

const list = (request: Partial<ListRequest>) =>
  listCapabilities(SNAPSHOT, { ...ALL, ...request }).capabilities.map(({ id }) => id);

describe('a listing', () => {
  test('has everything that is enabled, broken capabilities with their problems', () => {
    expect(list({})).toEqual(['a', 'c', 'd']);
    expect(listCapabilities(SNAPSHOT, ALL).capabilities[2]).toMatchObject({ callable: false, problems: [{ line: 1 }] });
  });

  test('filters by each condition, and by all together', () => {
    expect(list({ includeDisabled: true })).toEqual(['a', 'b', 'c', 'd']);
    expect(list({ kind: 'skill' })).toEqual(['a']);
    expect(list({ domainPrefix: 'daily_chat' })).toEqual(['a', 'd']);
    expect(list({ domainPrefix: 'daily' })).toEqual([]);
    expect(list({ permissionLevel: 'readonly' })).toEqual(['d']);
    expect(list({ tags: ['x'] })).toEqual(['a', 'c']);
    expect(list({ tags: ['x', 'y'], includeDisabled: true })).toEqual(['b', 'c']);
    expect(list({ tags: ['x', 'z'] })).toEqual([]);
    expect(list({ tags: ['x', 'x'], kind: 'tool', permissionLevel: 'user_data', domainPrefix: 'daily_chatter' })).toEqual(['c']);
  });

  test('pages through what stays exactly once, whatever comes and goes between the pages', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(ids, fc.array(ids, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (staying, passing, pageSize) => {
        const seen: string[] = [];
        let pageToken = '';
        for (let page = 0; page === 0 || pageToken !== ''; page++) {
          const there = new Set([...staying, ...(passing[page] ?? [])]);
          const snapshot = snapshotOf([...there].map((id) => tool({ id: `t${id}` })));
          const result = listCapabilities(snapshot, { ...ALL, pageSize, pageToken });
          expect(result.capabilities.length).toBeLessThanOrEqual(pageSize);
          seen.push(...result.capabilities.map(({ id }) => id));
          pageToken = result.nextPageToken;
          if (page > 60) throw new Error('it does not end');
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(staying.map((id) => `t${id}`)));
        expect(seen).toEqual(seen.toSorted());
      }),
    );
  });

  test('has 100 entries a page unless asked otherwise, and 1000 at most', () => {
    const snapshot = snapshotOf(Array.from({ length: 1200 }, (_, index) => tool({ id: `t${1000 + index}` })));
    expect(listCapabilities(snapshot, ALL).capabilities).toHaveLength(100);
    expect(listCapabilities(snapshot, { ...ALL, pageSize: 5000 }).capabilities).toHaveLength(1000);
  });

  test('ends without a token, also when the last page is full', () => {
    expect(listCapabilities(SNAPSHOT, { ...ALL, pageSize: 3 })).toMatchObject({ nextPageToken: '' });
    expect(listCapabilities(SNAPSHOT, { ...ALL, pageSize: 2 }).nextPageToken).not.toBe('');
  });

  test.each([
    'x',
    'bm90IGpzb24',
    Buffer.from('[1,"a"]').toString('base64url'),
    Buffer.from('[2,"a","0123456789abcdef"]').toString('base64url'),
    '🥺',
  ])('the page token %j is refused', (pageToken) => {
    expect(() => listCapabilities(SNAPSHOT, { ...ALL, pageToken })).toThrow(
      expect.objectContaining({ name: 'RequestError', kind: 'invalid' }),
    );
  });

  test('a page token of another filter is refused', () => {
    const { nextPageToken: pageToken } = listCapabilities(SNAPSHOT, { ...ALL, pageSize: 1 });
    expect(list({ pageSize: 5, pageToken })).toEqual(['c', 'd']);
    expect(() => listCapabilities(SNAPSHOT, { ...ALL, kind: 'tool', pageToken })).toThrow(/another filter/);
  });
});

/** What a gRPC client reads unless it is told otherwise, in bytes. */
const DEFAULT_CLIENT_LIMIT = 4 * 1024 * 1024;

describe('a page', () => {
  test('ends early when its entries are large, and all pages together have everything', () => {
    const large = Array.from({ length: 300 }, (_, at) => tool({ id: `t${1000 + at}`, description: '缘'.repeat(16_000) }));
    const snapshot = snapshotOf(large);
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = listCapabilities(snapshot, { ...ALL, pageSize: 1000, pageToken });
      const message = create(ListCapabilitiesResponseSchema, { capabilities: page.capabilities.map(fromCapability) });
      expect(toBinary(ListCapabilitiesResponseSchema, message).length).toBeLessThanOrEqual(DEFAULT_CLIENT_LIMIT / 2);
      seen.push(...page.capabilities.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(large.map(({ id }) => id));
  });

  test('has one entry at least, however large', () => {
    const snapshot = snapshotOf(['a', 'b'].map((id) => tool({ id, description: 'x'.repeat(3_000_000) })));
    const first = listCapabilities(snapshot, ALL);
    expect(first.capabilities.map(({ id }) => id)).toEqual(['a']);
    expect(listCapabilities(snapshot, { ...ALL, pageToken: first.nextPageToken }).capabilities.map(({ id }) => id)).toEqual([
      'b',
    ]);
  });

  test('never takes more bytes than were counted', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const texts = fc.array(text, { maxLength: 5 });
    const problem = fc.record({
      severity: fc.constantFrom('warning' as const, 'error' as const),
      file: text,
      line: fc.nat(),
      message: text,
      mend: text,
    });
    const fields = fc.record({
      id: text,
      name: text,
      description: text,
      version: text,
      domains: texts,
      tags: texts,
      personaFilters: texts,
      file: text,
      tokenCost: fc.nat(),
      overridesSystem: fc.boolean(),
      problems: fc.array(problem, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(fields, (written) => {
        const capability = tool(written);
        // A field's tag and a length stand before it in the page.
        const bytes = 6 + toBinary(CapabilityInfoSchema, create(CapabilityInfoSchema, fromCapability(capability))).length;
        expect(listedBytes(capability)).toBeGreaterThanOrEqual(bytes);
      }),
    );
  });

  test('can be read by any client, whatever the plugins hold', async () => {
    const keys = Array.from({ length: 1000 }, (_, at) => `${'键'.repeat(10)}${at}: ${'x'.repeat(20)}\n`).join('');
    const hostile = Object.fromEntries([
      ...Array.from({ length: 40 }, (_, at) => [`tools/t${at}.yaml`, `tool_id: t${at}\n${keys}`]),
      ...Array.from({ length: 200 }, (_, at) => [`tools/-${at}.yaml`, `? ${'键'.repeat(1000)}${at}\n: "`]),
    ]) as Files;
    const snapshot = (await registryOf(hostile)).snapshot();
    const { capabilities } = listCapabilities(snapshot, { ...ALL, pageSize: 1000 });
    expect(capabilities).toHaveLength(40);
    const message = create(ListCapabilitiesResponseSchema, {
      capabilities: capabilities.map(fromCapability),
      fileProblems: snapshot.problems().map(fromProblem),
    });
    expect(toBinary(ListCapabilitiesResponseSchema, message).length).toBeLessThan(DEFAULT_CLIENT_LIMIT);
  }, 30_000);

  test.each<[Partial<ListRequest>, string]>([
    [{ pageToken: 'x'.repeat(130_000) }, 'page_token is longer than 512 characters.'],
    [{ domainPrefix: 'x'.repeat(130_000) }, 'domain_prefix is longer than 512 characters.'],
    [{ tags: ['x', 'x'.repeat(130_000)] }, 'tags[1] is longer than 512 characters.'],
  ])('is refused to texts of any length, in few words', (request, message) => {
    expect(() => list(request)).toThrow(expect.objectContaining({ name: 'RequestError', kind: 'invalid', message }));
  });
});
