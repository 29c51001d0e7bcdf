import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDockerignore } from '../../src/files/dockerignore.ts';

describe('a .dockerignore', () => {
  test.each<[rules: string, leftOut: string[], kept: string[]]>([
    ['node_modules', ['node_modules', 'node_modules/a/b.js'], ['src/node_modules/a.js', 'node_modules2']],
    ['/build/', ['build/x'], ['a/build/x']],
    ['*.log', ['a.log'], ['b/a.log', 'a.logs']],
    ['**/*.log', ['a.log', 'b/a.log', 'b/c/a.log'], ['a.txt']],
    ['*/temp*', ['a/temp', 'a/temporary.txt', 'b/temp/x'], ['temp', 'a/b/temp']],
    ['a?c', ['abc'], ['ac', 'abbc', 'a/c']],
    ['docs/**', ['docs/a', 'docs/a/b'], ['doc']],
    ['**', ['a', 'a/b'], []],
    ['*\n!keep.txt', ['a', 'b/keep.txt'], ['keep.txt']],
    ['a/**/z', ['a/z', 'a/b/z', 'a/b/c/z', 'a/z/under'], ['a/zz', 'b/z']],
    ['# comment\n\n  \n./x ', ['x'], ['# comment']],
    ['!a\n', [], ['a']],
    ['a\r\nb\r\n', ['a', 'b'], ['c']],
  ])('%j', (rules, leftOut, kept) => {
    const isLeftOut = createDockerignore(rules);
    expect(leftOut.filter((path) => !isLeftOut(path))).toEqual([]);
    expect(kept.filter(isLeftOut)).toEqual([]);
  });

  test('one rule of `*` and letters agrees with the regular expression it stands for', () => {
    const word = fc.array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''));
    const name = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 8 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(word, name, (pattern, path) => {
        fc.pre(!pattern.includes('**'));
        expect(createDockerignore(pattern)(path)).toBe(new RegExp(`^${pattern.replaceAll('*', '[ab]*')}$`).test(path));
      }),
    );
  });

  test('a rule made to run for ever does not', () => {
    const started = performance.now();
    expect(createDockerignore(`${'*a'.repeat(2000)}b`)(`${'a'.repeat(4000)}`)).toBe(false);
    expect(createDockerignore(`${'**/a/'.repeat(1000)}b`)(Array(1000).fill('a').join('/'))).toBe(false);
    expect(performance.now() - started).toBeLessThan(20_000);
  }, 60_000);
});
