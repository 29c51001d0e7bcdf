import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTagIndex } from '../../src/registry/tags.ts';

const tag = fc.constantFrom('weather', 'story', 'calm', '安抚');
const changes = fc.array(
  fc.record({ kind: fc.constantFrom('insert', 'insert', 'remove'), tag, entry: fc.integer({ min: 0, max: 9 }) }),
  { maxLength: 50 },
);

test('a tag index answers like a list of pairs', () => {
  fc.assert(
    fc.property(changes, fc.array(tag, { maxLength: 4 }), (done, wanted) => {
      const index = createTagIndex();
      const pairs = new Map<string, Set<number>>();
      for (const { kind, tag: at, entry } of done) {
        const entries = pairs.get(at) ?? new Set();
        pairs.set(at, entries);
        if (kind === 'insert') {
          index.insert(at, entry);
          entries.add(entry);
        } else {
          index.remove(at, entry);
          entries.delete(entry);
        }
      }
      const all = [...Array(10).keys()];
      const expected = wanted.length === 0 ? [] : all.filter((entry) => wanted.every((at) => pairs.get(at)?.has(entry)));
      expect(index.withAll(wanted)).toEqual(expected);
      for (const at of wanted) expect(index.with(at)).toEqual(all.filter((entry) => pairs.get(at)?.has(entry)));
    }),
  );
});
