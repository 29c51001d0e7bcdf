import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDomainTrie } from '../../src/registry/trie.ts';

/** Few names and entries, so that domains share beginnings and removals hit; one name is the beginning of another as text. */
const domain = fc
  .array(fc.constantFrom('daily_chat', 'daily_chatter', 'a'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const entry = fc.integer({ min: 0, max: 2 });
const change = fc.record({ kind: fc.constantFrom('insert', 'remove'), domain, entry });

function naiveBelow(pairs: Iterable<string>, prefix: string): number[] {
  const found = [...pairs].map((pair) => pair.split(' ')).filter(([at]) => at === prefix || at?.startsWith(`${prefix}/`));
  return [...new Set(found.map(([, number]) => Number(number)))].sort((a, b) => a - b);
}

describe('the domain trie', () => {
  test('answers like a list of pairs, whatever was inserted and removed, in whatever order', () => {
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 20, maxLength: 120 }),
        fc.array(domain, { minLength: 1, maxLength: 8 }),
        (changes, prefixes) => {
          const trie = createDomainTrie();
          const pairs = new Set<string>();
          for (const { kind, domain: at, entry: number } of changes) {
            if (kind === 'insert') {
              trie.insert(at, number);
              pairs.add(`${at} ${number}`);
            } else {
              trie.remove(at, number);
              pairs.delete(`${at} ${number}`);
            }
            for (const prefix of [...prefixes, at]) expect(trie.below(prefix)).toEqual(naiveBelow(pairs, prefix));
          }
        },
      ),
    );
  });

  test('matches whole names only', () => {
    const trie = createDomainTrie();
    trie.insert('daily_chat/weather', 1);
    trie.insert('daily_chatter', 2);
    expect(trie.below('daily_chat')).toEqual([1]);
    expect(trie.below('daily')).toEqual([]);
    expect(trie.below('daily_chat/weather/today')).toEqual([]);
    expect(trie.below('')).toEqual([]);
  });

  test('an entry in two domains below one prefix stays there until both are removed', () => {
    const trie = createDomainTrie();
    trie.insert('a/b', 7);
    trie.insert('a/c', 7);
    trie.insert('a/d', 8);
    trie.remove('a/b', 7);
    expect(trie.below('a')).toEqual([7, 8]);
    trie.remove('a/c', 7);
    expect(trie.below('a')).toEqual([8]);
  });
});
