import { ToolCallError } from '@yuanbot/contract';
import { canonicalJson } from '@yuanbot/kit/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonDepth } from '../../src/execution/json-depth.ts';
import { canonicalParameters } from '../../src/execution/parameters.ts';
import { createSchemaValidators, SchemaError } from '../../src/execution/schema-validator.ts';
import type { JsonObject } from '../../src/registry/model.ts';

const validatorFor = createSchemaValidators();

const weather: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1 },
    lang: { type: 'string', enum: ['zh', 'en'], default: 'zh' },
    days: { type: 'integer', maximum: 7 },
    place: { type: 'object', properties: { 'a/b': { type: 'number' } }, required: ['a/b'] },
  },
  required: ['city'],
  additionalProperties: false,
};

function check(paramsJson: string, schema = weather, maxBytes = 1024 * 1024): string {
  try {
    return canonicalParameters(paramsJson, validatorFor(schema), maxBytes, 'en');
  } catch (error) {
    if (error instanceof ToolCallError && error.code === 'ERR_PARAMS_INVALID') return error.message;
    throw error;
  }
}

describe('valid parameters', () => {
  it('come out canonical, with defaults', () => {
    expect(check(' { "days": 2.0, "city" : "北京" } ')).toBe('{"city":"北京","days":2,"lang":"zh"}');
  });

  it('that are empty text are an empty object', () => {
    expect(check('', { type: 'object', properties: {} })).toBe('{}');
  });

  it('keep hostile keys as data', () => {
    const schema: JsonObject = { type: 'object' };
    const text = '{"__proto__":{"polluted":true},"constructor":1,"prototype":null}';
    expect(check(text, schema)).toBe(text);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('law: what is accepted without defaults is the RFC 8785 form of what was written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 }), (value) => {
        const text = JSON.stringify(value);
        const got = check(text, { type: 'object' });
        if (!/\d{16}/.test(text)) expect(got).toBe(canonicalJson(JSON.parse(text)));
      }),
    );
  });
});

describe('invalid parameters', () => {
  it('are named all at once, each with its JSON pointer', () => {
    expect(check('{"lang":"fr","days":"x","place":{},"extra/key":1}')).toBe(
      'The parameters are not valid: /city is required; /extra~1key is not a parameter of this tool; ' +
        '/lang must be one of ["zh","en"]; /days must be of type integer; /place/a~1b is required',
    );
  });

  it('are named in Chinese by default', () => {
    expect(() => canonicalParameters('{"city":1}', validatorFor(weather), 1000, 'zh')).toThrow(
      '参数不正确：/city 的类型应为 string',
    );
  });

  it('are cut after twenty, and the rest counted', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, at]));
    expect(check(JSON.stringify({ city: 'x', ...many }))).toMatch(/k19 is not a parameter of this tool; and 10 more$/);
  });

  it.each([
    ['no JSON', '{"city":', /not valid JSON/],
    ['a list', '[]', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    [
      'a number that a double cannot hold',
      '{"city":"x","days":12345678901234567890}',
      /12345678901234567890 cannot be represented exactly/,
    ],
    ['a lone surrogate', '{"city":"\\ud800"}', /ill-formed Unicode/],
    ['a nesting bomb', `{"city":${'['.repeat(100_000)}`, /nested too deeply/],
    ['a number that no double reaches', '{"city":"x","days":1e999}', /1e999 cannot be represented exactly/],
  ])('%s', (_name, text, want) => {
    expect(check(text)).toMatch(want);
  });

  it('that are too large are refused before they are parsed', () => {
    expect(check(JSON.stringify({ city: '好'.repeat(400) }), weather, 1024)).toBe(
      'The parameters are too large: 1211 bytes, at most 1024 are allowed.',
    );
  });

  it('law: no text makes anything but canonical JSON or ERR_PARAMS_INVALID', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        expect(typeof check(text)).toBe('string');
      }),
    );
  });
});

describe('schemas', () => {
  it('run patterns in linear time', () => {
    const schema: JsonObject = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(check(JSON.stringify({ a: `${'a'.repeat(50_000)}!` }), schema)).toMatch(/must match pattern/);
  });

  it.each<[string, JsonObject]>([
    ['look-ahead', { type: 'object', properties: { a: { type: 'string', pattern: '(?=a)b' } } }],
    ['a reference to elsewhere', { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } }],
    ['an unknown type', { type: 'object', properties: { a: { type: 'text' } } }],
  ])('with %s are unusable, and say why', (_name, schema) => {
    expect(() => validatorFor(schema)).toThrow(SchemaError);
  });

  it('with uniqueItems compare items as JSON, in linear time', () => {
    const schema: JsonObject = { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } };
    expect(check('{"a":[{"x":1,"y":[2]},{"y":[2.0],"x":1}]}', schema)).toMatch(/\/a must NOT have duplicate items/);
    expect(check('{"a":[1,"1",[1],{"a":1},null]}', schema)).toBe('{"a":[1,"1",[1],{"a":1},null]}');
    const many = JSON.stringify({ a: Array.from({ length: 50_000 }, (_, at) => ({ at })) });
    const startedAt = performance.now();
    expect(check(many, schema)).toBe(many);
    // Pair by pair it takes minutes; this bound only tells the two apart.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('name one problem of a huge value, not each of half a million', () => {
    const schema: JsonObject = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } };
    const text = JSON.stringify({ a: Array.from({ length: 400_000 }, () => 1) });
    expect(check(text, schema)).toBe('The parameters are not valid: /a/0 must be of type string');
  });

  it('of both drafts are understood', () => {
    const tuple07: JsonObject = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: { type: 'array', items: [{ type: 'string' }], additionalItems: false } },
    };
    const tuple2020: JsonObject = {
      type: 'object',
      properties: { a: { type: 'array', prefixItems: [{ type: 'string' }], items: false } },
    };
    for (const schema of [tuple07, tuple2020]) {
      expect(check('{"a":["x"]}', schema)).toBe('{"a":["x"]}');
      expect(check('{"a":["x","y"]}', schema)).toMatch(/\/a must NOT have more than 1 items/);
    }
  });
});

it('law: the depth of a JSON text is the depth of its value', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(jsonDepth(JSON.stringify(value))).toBe(depthOf(value));
    }),
  );
});
