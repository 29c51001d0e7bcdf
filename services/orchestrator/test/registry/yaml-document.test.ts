import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readYaml } from '../../src/registry/yaml-document.ts';

const TEXT_KEYS = new Set(['version', 'name', 'tags']);
const read = (text: string) => readYaml(text, 'x.yaml', TEXT_KEYS);
const value = (text: string) => read(text).document?.value;

describe('reading YAML', () => {
  test.each([
    ['1.10', '1.10'],
    ['1', '1'],
    ['0x10', '0x10'],
    ['1e3', '1e3'],
    ['true', 'true'],
    ['"2.0"', '2.0'],
    ['2026-01-02', '2026-01-02'],
  ])('version: %s stays as written', (written, expected) => {
    expect(value(`version: ${written}\n`)).toEqual({ version: expected });
  });

  test('lists of texts stay as written too; other keys follow the core schema', () => {
    expect(value('tags: [1.0, yes, null]\nenabled: false\nsize: 1.10\nno_value:\n')).toEqual({
      tags: ['1.0', 'yes', null],
      enabled: false,
      size: 1.1,
      no_value: null,
    });
  });

  test('Windows line ends and a byte order mark change nothing', () => {
    expect(value('\uFEFFname: x\r\nprompt: |\r\n  one\r\n  two\r\n')).toEqual({ name: 'x', prompt: 'one\ntwo\n' });
  });

  test.each<[why: string, text: string, line: number, message: RegExp, mend: RegExp]>([
    ['a tab as indentation', 'a:\n\tb: 1\n', 2, /tab/i, /spaces/],
    ['an unquoted colon', 'name: x\ndescription: when: sad\n', 2, /not valid/, /quotes/],
    ['a repeated key', 'a: 1\nb: 2\na: 3\n', 3, /`a` is there twice/, /one of the two/],
    ['a tag of its own', 'a: 1\nb: !ruby/object {}\n', 2, /tag/i, /Remove the tag/],
    ['a binary tag', 'b: !!binary aGVsbG8=\n', 1, /tag/i, /Remove the tag/],
    ['a second document', 'a: 1\n---\nb: 2\n', 2, /document/, /one document/],
    ['an open quote', 'a: 1\nb: "x\n', 3, /not valid/, /quote|bracket/],
    ['an unknown alias', 'a: 1\nb: *nobody\n', 2, /no anchor `&nobody`/, /Write the value out/],
    ['a merge key', 'base: &b {confirm: always}\nx:\n  <<: *b\n', 3, /Merge keys/, /merged keys out/],
    ['a prototype key', 'a: 1\nb:\n  __proto__: {x: 1}\n', 3, /__proto__/, /Rename/],
    ['a key that is no text', 'a: 1\n[1, 2]: x\n', 2, /key/i, /plain word/],
    ['a list at the top', '- a\n- b\n', 1, /not a mapping/, /key: value/],
    ['an empty file', ' \n', 1, /empty/, /key: value/],
    ['too many levels', `a: ${'['.repeat(60)}${']'.repeat(60)}\n`, 1, /deeper/, /Flatten/],
  ])('%s is reported with its line and a mend', (_why, text, line, message, mend) => {
    const { document, problems } = read(text);
    expect(document).toBeUndefined();
    expect(problems[0]).toMatchObject({ severity: 'error', file: 'x.yaml', line });
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.mend).toMatch(mend);
  });

  test('an alias bomb is refused at once', () => {
    // Twenty doublings with two aliases each: few aliases, a million values.
    const levels = Array.from({ length: 20 }, (_, index) => `k${index + 1}: &k${index + 1} [*k${index}, *k${index}]`);
    const { document, problems } = read(`k0: &k0 [x]\n${levels.join('\n')}\n`);
    expect(document).toBeUndefined();
    expect(problems[0]?.mend).toMatch(/instead of using aliases/);
  });

  test('too many aliases are refused where the first too many is', () => {
    const { problems } = read(`a: &a 1\n${Array.from({ length: 60 }, (_, index) => `k${index}: *a`).join('\n')}\n`);
    expect(problems).toMatchObject([{ line: 52, mend: 'Write the values out.' }]);
  });

  test('an anchor that holds itself is refused', () => {
    expect(read('a: &a\n  b: *a\n').problems[0]?.message).toMatch(/deeper|no anchor/);
  });

  test.each([
    ['brackets', '['.repeat(60_000)],
    ['braces', '{a: '.repeat(15_000)],
    ['dashes', '- '.repeat(30_000)],
    ['question marks', '? '.repeat(30_000)],
    ['anchors', '&a '.repeat(20_000)],
    ['repeated keys', 'a: 1\n'.repeat(12_000)],
    ['different keys', Array.from({ length: 8000 }, (_, index) => `k${index}: 1\n`).join('')],
  ])(
    'a file full of %s ends in a problem or a value, not in an exception',
    (_what, text) => {
      const { document, problems } = read(text);
      expect(document === undefined).toBe(problems.length > 0);
    },
    20_000,
  );

  test.each([
    ['brackets', `a: 1\n${'['.repeat(60_000)}`],
    ['brackets that close', `a: 1\nb: ${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['braces', `a: 1\nb: ${'{a: '.repeat(15_000)}`],
    ['dashes', `a: 1\nb:\n${'- '.repeat(30_000)}`],
    ['question marks', `a: 1\n${'? '.repeat(30_000)}`],
    ['indentation', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
  ])('nesting by %s is told once, in words', (_what, text) => {
    const { document, problems } = read(text);
    expect(document).toBeUndefined();
    expect(problems).toMatchObject([{ message: 'The file is nested deeper than 40 levels.', mend: 'Flatten it.' }]);
    expect(problems[0]?.line).toBeGreaterThan(1);
  });

  test('forty levels are taken, whatever they are made of', () => {
    expect(read(`a: ${'['.repeat(39)}${']'.repeat(39)}\n`).problems).toEqual([]);
    expect(read(`${Array.from({ length: 40 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')} x\n`).problems).toEqual([]);
    expect(read(`a: |\n  ${'[{- ? '.repeat(1000)}\nb: "${'['.repeat(1000)}"\nc: x ${'[ - '.repeat(1000)}\n`).problems).toEqual(
      [],
    );
  });

  test('no text whatever makes it throw', () => {
    const piece = fc.constantFrom(
      'a: ',
      '- ',
      '\n',
      '  ',
      '\t',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      '|',
      '>',
      '&x ',
      '*x',
      '!t ',
      '? ',
      ': ',
      '#',
      '---\n',
      '...',
      '%YAML 1.1\n',
      '<<',
      '__proto__',
      '\r',
      '\u0000',
      '缘',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 80 }),
          fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
        ),
        (text) => {
          const { document, problems } = read(text);
          expect(document === undefined).toBe(problems.length > 0);
          for (const problem of problems) {
            expect(problem.line).toBeGreaterThan(0);
            expect(problem.mend).not.toBe('');
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('says the line of any key and list item, through aliases, and of what is nearest above what is missing', () => {
    const { document } = read('a: 1\nlist:\n  - x\n  - y: 2\n    z: 3\nmap: &m\n  deep: 1\nsame: *m\n');
    expect(document?.lineOf(['list', 1, 'z'])).toBe(5);
    expect(document?.lineOf(['list', 0])).toBe(3);
    expect(document?.lineOf(['map', 'missing'])).toBe(6);
    expect(document?.lineOf(['same', 'deep'])).toBe(7);
    expect(document?.lineOf(['nowhere'])).toBe(1);
  });
});
