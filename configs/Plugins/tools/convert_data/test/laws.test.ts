import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Params, useConverter } from './conversion.ts';

const { convert, outputOf } = useConverter();

/** Hundreds of calls through another process, on a machine that may be busy. */
const LAW = { timeout: 60_000 };

/** The error's message, or undefined when the conversion went well. */
async function problemOf(params: Params): Promise<string | undefined> {
  return convert(params).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** Text that gives CSV and JSON something to do. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'a1",;\t|\r\n\\/ {}[]:\u0000\u001f\u2028中é😀'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 8,
});
const delimiter = fc.constantFrom(',', ';', '\t', '|');

/** Rows of the same width, at least two wide: one empty field by itself would be an empty line. */
function rowsOf<T>(field: fc.Arbitrary<T>): fc.Arbitrary<T[][]> {
  return fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }));
}

/** One or two single signs put in or taken out: nearly right texts are where readers disagree. */
function nearly(valid: fc.Arbitrary<string>, signs: string): fc.Arbitrary<string> {
  const edit = fc.record({ at: fc.nat(), drop: fc.integer({ min: 0, max: 1 }), sign: fc.constantFrom('', ...signs) });
  return fc.tuple(valid, fc.array(edit, { minLength: 1, maxLength: 2 })).map(([start, edits]) =>
    edits.reduce((text, { at, drop, sign }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + sign + text.slice(place + drop);
    }, start),
  );
}

describe('CSV', LAW, () => {
  test('what csv-stringify writes is read as it was', async () => {
    const style = fc.record({
      delimiter,
      quoted: fc.boolean(),
      bom: fc.boolean(),
      record_delimiter: fc.constantFrom('\n', '\r\n'),
    });
    await fc.assert(
      fc.asyncProperty(rowsOf(text), style, async (rows, options) => {
        fc.pre(!rows[0]?.[0]?.startsWith('\ufeff'));
        const input = stringify(rows, { ...options, quoted_match: /[\r\n]/ });
        const output = await outputOf({ input, from: 'csv', to: 'json', header: false, delimiter: options.delimiter });
        expect(JSON.parse(output)).toEqual(rows);
      }),
    );
  });

  test('what we write, csv-parse reads as it was', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(text), delimiter, async (rows, sign) => {
        const csv = await outputOf({ input: JSON.stringify(rows), from: 'json', to: 'csv', delimiter: sign });
        expect(parse(csv, { delimiter: sign, record_delimiter: '\r\n', bom: true })).toEqual(rows);
      }),
    );
  });

  test('what is not CSV to csv-parse is none to us, and the other way round', async () => {
    const valid = rowsOf(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n'), maxLength: 3 })).map((rows) => stringify(rows));
    await fc.assert(
      fc.asyncProperty(nearly(valid, 'a",\n'), async (input) => {
        const ours = await problemOf({ input, from: 'csv', to: 'csv', header: false });
        expect({ input, refused: ours !== undefined }).toEqual({ input, refused: !isCsv(input) });
        if (ours !== undefined) expect(ours).toMatch(/\(line \d+, column \d+ of the input\)$/);
      }),
      { numRuns: 300 },
    );
  });

  function isCsv(input: string): boolean {
    try {
      parse(input, { skip_empty_lines: true, record_delimiter: '\n' });
      return true;
    } catch {
      return false;
    }
  }

  test('CSV in its regular form stays as it is', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(text), delimiter, async (rows, sign) => {
        const csv = await outputOf({ input: JSON.stringify(rows), from: 'json', to: 'csv', delimiter: sign });
        expect(await outputOf({ input: csv, from: 'csv', to: 'csv', delimiter: sign })).toBe(csv);
      }),
    );
  });
});

describe('JSON', LAW, () => {
  // Half of a character is refused here and kept by JSON.parse; a name twice likewise.
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });

  test('is written as JSON.stringify writes it', async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.integer({ min: 0, max: 8 }), async (value, indent) => {
        const output = await outputOf({ input: JSON.stringify(value, null, '\t'), from: 'json', to: 'json', indent });
        expect(output).toBe(JSON.stringify(value, null, indent));
      }),
    );
  });

  test('any escape may stand for any character', async () => {
    const escaped = (value: string) =>
      Array.from({ length: value.length }, (_, at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        expect(JSON.parse(await outputOf({ input: `"${escaped(value)}"`, from: 'json', to: 'json' }))).toBe(value);
      }),
    );
  });

  test('what is not JSON to JSON.parse is none to us, and the other way round', async () => {
    const compact = json.map((value) => JSON.stringify(value));
    await fc.assert(
      fc.asyncProperty(nearly(compact, '{}[]",:0-1.eE+ \n\\untf/'), async (input) => {
        const ours = await problemOf({ input, from: 'json', to: 'json' });
        fc.pre(ours === undefined || !/stands twice|half of a character/.test(ours));
        expect({ input, refused: ours !== undefined }).toEqual({ input, refused: !isJson(input) });
        if (ours !== undefined) expect(ours).toMatch(/\(line \d+, column \d+ of the input\)$/);
      }),
      { numRuns: 300 },
    );
  });

  function isJson(input: string): boolean {
    try {
      JSON.parse(input);
      return true;
    } catch {
      return false;
    }
  }
});

describe('there and back', LAW, () => {
  const scalar = fc.oneof(
    text,
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('12', 'true', ''),
  );
  const name = fc.string({ unit: fc.constantFrom(...'ab1",;\n中'), maxLength: 4 });
  const table = fc
    .uniqueArray(name, { minLength: 2, maxLength: 4 })
    .chain((names) =>
      fc.array(fc.tuple(...names.map(() => scalar)), { minLength: 1, maxLength: 5 }).map((rows) => ({ names, rows })),
    );

  // Texts, not values: an object of JavaScript would put the name "1" before the name "a".
  function jsonOf({ names, rows }: { names: string[]; rows: unknown[][] }): string {
    const member = (value: unknown, index: number) => `${JSON.stringify(names[index])}:${JSON.stringify(value)}`;
    return `[${rows.map((row) => `{${row.map(member).join(',')}}`).join(',')}]`;
  }

  test('a table of plain values comes back from CSV as it was', async () => {
    await fc.assert(
      fc.asyncProperty(table, delimiter, async (sample, sign) => {
        const input = jsonOf(sample);
        const csv = await outputOf({ input, from: 'json', to: 'csv', delimiter: sign });
        expect(await outputOf({ input: csv, from: 'csv', to: 'json', delimiter: sign, types: 'infer' })).toBe(input);
      }),
    );
  });

  test('so does one without names', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(scalar), async (rows) => {
        const input = JSON.stringify(rows);
        const csv = await outputOf({ input, from: 'json', to: 'csv' });
        expect(await outputOf({ input: csv, from: 'csv', to: 'json', header: false, types: 'infer' })).toBe(input);
      }),
    );
  });
});
