import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parametersOf } from '../../src/tool-flags/parameter.ts';

const formOf = (property: unknown) => parametersOf({ type: 'object', properties: { p: property } })[0]?.value;

describe('the form of a value', () => {
  test.each([
    [{ type: 'string' }, { form: 'text' }],
    [{ type: ['string', 'null'] }, { form: 'text' }],
    [{ type: 'integer' }, { form: 'number', whole: true }],
    [{ type: 'number' }, { form: 'number', whole: false }],
    [{ type: 'boolean' }, { form: 'switch' }],
    [
      { type: 'string', enum: ['a', 'b'] },
      { form: 'choice', choices: ['a', 'b'] },
    ],
    [{ const: 3 }, { form: 'choice', choices: [3] }],
    [
      { type: 'array', items: { type: 'integer' } },
      { form: 'list', item: { form: 'number', whole: true } },
    ],
    [
      { type: 'array', items: { enum: ['x'] } },
      { form: 'list', item: { form: 'choice', choices: ['x'] } },
    ],
    [{ type: 'array', items: { type: 'object' } }, { form: 'json' }],
    [{ type: 'array', items: { type: 'boolean' } }, { form: 'json' }],
    [{ type: 'array' }, { form: 'json' }],
    [{ type: 'object', properties: {} }, { form: 'json' }],
    [{ type: ['string', 'number'] }, { form: 'json' }],
    [{ anyOf: [] }, { form: 'json' }],
    [{}, { form: 'json' }],
    [true, { form: 'json' }],
  ])('%j is %j', (property, form) => {
    expect(formOf(property)).toEqual(form);
  });
});

test('a schema’s order, descriptions, defaults and required names are kept', () => {
  const schema = {
    properties: { b: { type: 'string', description: '城市', default: 'x' }, a: { type: 'integer' } },
    required: ['a'],
  };
  expect(parametersOf(schema)).toEqual([
    { name: 'b', description: '城市', required: false, default: 'x', value: { form: 'text' } },
    { name: 'a', description: '', required: true, default: undefined, value: { form: 'number', whole: true } },
  ]);
});

test('no schema, however broken, makes it fail', () => {
  const broken = fc.record({ properties: fc.anything(), required: fc.anything(), type: fc.anything() }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof(fc.anything(), broken), (schema) => {
      expect(Array.isArray(parametersOf(schema))).toBe(true);
    }),
  );
});
