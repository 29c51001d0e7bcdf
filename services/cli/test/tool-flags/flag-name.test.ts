import { Option } from 'commander';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flagNames } from '../../src/tool-flags/flag-name.ts';

const names = (parameters: string[], taken: string[] = []) => Object.fromEntries(flagNames(parameters, taken));

test('a parameter’s flag is its name, with dashes', () => {
  expect(names(['city', 'max_items', '城市', 'maxItems'])).toEqual({
    city: 'city',
    max_items: 'max-items',
    城市: '城市',
    maxItems: 'param-maxItems',
  });
});

test('a name with another meaning gets a prefix', () => {
  expect(names(['user', 'no_cache', 'constructor', 'toString'], ['user'])).toEqual({
    user: 'param-user',
    no_cache: 'param-no-cache',
    constructor: 'param-constructor',
    toString: 'param-toString',
  });
});

test('a name that cannot be a flag has none', () => {
  expect(names(['a b', 'a=b', '', 'a,b', '-', 'a|b', '<x>', 'a__b', 'a-', '__proto__'])).toEqual({});
});

test('law: no two parameters share a flag or a key of commander’s, and none takes one of ours', () => {
  const word = fc.oneof(fc.string({ unit: fc.constantFrom('a', 'B', '_', '-', 'n', 'o', '1'), maxLength: 6 }), fc.string());
  fc.assert(
    fc.property(fc.uniqueArray(word), (parameters) => {
      const flags = [...flagNames(parameters, ['user', 'params']).values()];
      const keys = [...flags, 'user', 'params'].map((flag) => new Option(`--${flag}`).attributeName());
      expect(new Set(keys).size).toBe(keys.length);
      for (const flag of flags) expect(new Option(`--${flag}`).long).toBe(`--${flag}`);
    }),
  );
});
