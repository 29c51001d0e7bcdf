import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../src/registry/json-document.ts';
import { createJsonMap } from '../../src/registry/json-map.ts';

describe('reading JSON', () => {
  test.each<[why: string, text: string, line: number, message: RegExp, mend: RegExp]>([
    ['a comma too many', '{\n  "a": 1,\n}\n', 3, /not valid/, /comma/],
    ['a comment', '{\n  // why\n  "a": 1\n}\n', 2, /not valid/, /comments/],
    ['an end too early', '{\n  "a": [1,\n', 2, /not valid/, /Mend/],
    ['an empty file', '', 1, /not valid/, /Mend/],
    ['a list at the top', '[1]', 1, /not a JSON object/, /\{/],
    ['a repeated key', '{\n "a": 1,\n "b": {"x": 1,\n  "x": 2}\n}', 4, /`b.x` is there twice/, /one of the two/],
    ['a repeated key in other words', '{"a": 1,\n"\\u0061": 2}', 2, /`a` is there twice/, /one of the two/],
    ['a number that is not exact', '{\n "a":\n 12345678901234567890\n}', 3, /12345678901234567890/, /quotes/],
    ['a prototype key', '{"a": {\n"__proto__": {"x": 1}}}', 2, /__proto__/, /Rename/],
    ['too many levels', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 1, /deeper/, /Flatten/],
  ])('%s is reported with its line and a mend', (_why, text, line, message, mend) => {
    const { document, problems } = readJson(text, 'x.json');
    expect(document).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: 'error', file: 'x.json', line });
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.mend).toMatch(mend);
  });

  test.each([
    ['that close', `{"a":1,\n"b":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /deeper/],
    ['that do not', `{"a":1,\n"b":${'['.repeat(100_000)}`, /not valid/],
    ['of objects', `{"a":1,\n"b":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, /deeper/],
  ])('a hundred thousand brackets %s end in one problem', (_which, text, message) => {
    expect(readJson(text, 'x.json').problems).toMatchObject([{ line: 2, message: expect.stringMatching(message) }]);
  });

  test('no text whatever makes it throw', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', '"a"', ':', ',', '1', '"', '\\', '\n', 'null', '"__proto__"', '\u0000');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 60 }),
          fc.json(),
          fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
        ),
        (text) => {
          const { document, problems } = readJson(text, 'x.json');
          expect(document === undefined).toBe(problems.length > 0);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the map of a JSON text', () => {
  test('knows the line of every value, however it is nested', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value, null, 1);
        const lines = text.split('\n');
        const map = createJsonMap(text);
        expect(map.repeatedKeys).toEqual([]);
        const visit = (at: unknown, path: (string | number)[]): void => {
          if (typeof at !== 'object' || at === null) return;
          for (const [key, child] of Object.entries(at)) {
            const childPath = [...path, Array.isArray(at) ? Number(key) : key];
            const line = lines[map.lineOf(childPath) - 1] ?? '';
            const begin = Array.isArray(at) ? JSON.stringify(child, null, 1).split('\n', 1).join('') : `${JSON.stringify(key)}:`;
            expect(line.trim().startsWith(begin)).toBe(true);
            expect(line.search(/\S/)).toBe(path.length + 1);
            visit(child, childPath);
          }
        };
        visit(value, []);
      }),
    );
  });
});
