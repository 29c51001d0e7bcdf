import { describe, expect, test } from 'vitest';
import { createPluginFiles } from '../../src/files/create-plugin-files.ts';
import { readSchemaFile } from '../../src/registry/schema-file.ts';
import { temporaryRoot } from './temporary-source.ts';

async function read(text: string | undefined) {
  const root = await temporaryRoot(text === undefined ? {} : { 'x.schema.json': text });
  return readSchemaFile(createPluginFiles(root), 'x.schema.json');
}

const lines = (value: unknown) => JSON.stringify(value, null, 2);
const withFunction = (fields: object) =>
  lines({ type: 'function', function: { name: 'x', description: 'What x does.', ...fields } });

/** Each applies the next one twice: a few kilobytes, and half a billion schemas for one value. */
const DOUBLING = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => {
    const next = { $ref: `#/$defs/d${at + 1}` };
    return [`d${at}`, at === 29 ? {} : { allOf: [next, next] }];
  }),
);

describe('a tool’s schema file', () => {
  test('keeps the parameters as they are written, and its byte order mark to itself', async () => {
    const parameters = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'string', 'x-own': 1 } },
      additionalProperties: false,
    };
    const { schema, problems } = await read(`\uFEFF${withFunction({ parameters, strict: true })}`);
    expect(problems).toEqual([]);
    expect(schema).toMatchObject({ callName: 'x', description: 'What x does.', parameters });
    expect(JSON.parse(schema?.definitionJson ?? '')).toEqual({
      type: 'function',
      function: { name: 'x', description: 'What x does.', parameters, strict: true },
    });
  });

  test('may leave out the parameters', async () => {
    expect((await read(withFunction({}))).schema?.parameters).toEqual({ type: 'object', properties: {} });
  });

  test.each<[why: string, text: string | undefined, line: number, message: RegExp, mend: RegExp]>([
    ['no file', undefined, 0, /not there/, /schema_file/],
    ['a bare JSON Schema', lines({ type: 'object', properties: {} }), 1, /bare JSON Schema/, /Wrap it/],
    ['the fields at the top level', lines({ type: 'function', name: 'x', parameters: {} }), 1, /top level/, /key `function`/],
    ['another type', lines({ type: 'tool', function: { name: 'x' } }), 2, /`type` cannot be "tool"/, /"function"/],
    ['no name', lines({ type: 'function', function: {} }), 3, /`function.name` is missing/, /64 characters/],
    ['a name that OpenAI refuses', withFunction({ name: '查天气' }), 4, /`function.name` cannot be/, /letters, digits/],
    ['a name that is too long', withFunction({ name: 'x'.repeat(65) }), 4, /`function.name` cannot be/, /64/],
    [
      'parameters that are no object',
      withFunction({ parameters: { type: 'array' } }),
      7,
      /`function.parameters.type` cannot be "array"/,
      /"type": "object"/,
    ],
    [
      'parameters without a type',
      withFunction({ parameters: { properties: {} } }),
      6,
      /`function.parameters.type` is missing/,
      /"type": "object"/,
    ],
    [
      'a schema that is too deep',
      withFunction({ parameters: JSON.parse(`${'{"type":"object","not":'.repeat(50)}{}${'}'.repeat(50)}`) }),
      82,
      /deeper/,
      /Flatten/,
    ],
    [
      'a schema that is small and dear',
      withFunction({ parameters: { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs: DOUBLING } }),
      299,
      /more than 10000 schemas/,
      /allOf/,
    ],
    ['a file that is too large', withFunction({ description: 'x'.repeat(140_000) }), 0, /larger/, /smaller/],
    ['no JSON', '{"type": function}', 1, /not valid/, /double quotes/],
  ])('%s is an error with line and mend', async (_why, text, line, message, mend) => {
    const { schema, problems } = await read(text);
    expect(schema).toBeUndefined();
    expect(problems[0]).toMatchObject({ severity: 'error', file: 'x.schema.json' });
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.mend).toMatch(mend);
    expect(problems[0]?.line).toBe(line);
  });

  test('no description and an unknown key are warnings', async () => {
    const { schema, problems } = await read(lines({ type: 'function', function: { name: 'x', desc: 'y' } }));
    expect(schema).toBeDefined();
    expect(problems).toMatchObject([
      { severity: 'warning', line: 5, mend: expect.stringContaining('`function.description`') },
      { severity: 'warning', line: 3, message: expect.stringContaining('no description') },
    ]);
  });
});
