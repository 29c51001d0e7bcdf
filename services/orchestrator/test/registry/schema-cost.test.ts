import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/registry/model.ts';
import { schemaFault } from '../../src/registry/schema-cost.ts';

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const node = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { a: ref('n') },
  $defs: { n: schema, ...more },
});

/** `$defs` d0…, each made of the next one. */
function chain(length: number, link: (next: JsonObject) => JsonObject): JsonObject {
  const defs = Array.from({ length }, (_, at) => [`d${at}`, link(ref(`d${at + 1}`))] as const);
  return {
    type: 'object',
    properties: { a: ref('d0') },
    $defs: { ...Object.fromEntries(defs), [`d${length}`]: { type: 'string' } },
  };
}

describe('a parameter schema is refused', () => {
  test.each<[why: string, schema: JsonObject, message: RegExp]>([
    ['doubling at each of 29 references', chain(29, (next) => ({ allOf: [next, next] })), /more than 10000/],
    ['doubling in other ways', chain(29, (next) => ({ if: next, else: { anyOf: [next] } })), /more than 10000/],
    [
      'doubling at each level of the value',
      chain(29, (next) => ({ properties: { x: next }, patternProperties: { x: next } })),
      /more than/,
    ],
    [
      'recursing twice into one property',
      node({ allOf: [{ properties: { x: ref('n') } }, { properties: { x: ref('n') } }] }),
      /more than/,
    ],
    [
      'recursing into a property and all properties',
      node({ properties: { x: ref('n') }, unevaluatedProperties: ref('n') }),
      /more/,
    ],
    ['recursing into all items and one that is contained', node({ items: ref('n'), contains: ref('n') }), /more than/],
    [
      'recursing with ever more beside',
      // Each goes on with itself and with the next one: ways through them are binomial.
      chain(30, (next) => ({
        anyOf: [{ properties: { x: next } }, { properties: { x: { anyOf: [next, { properties: { x: next } }] } } }],
      })),
      /more than/,
    ],
    ['referring to itself', node(ref('n')), /without going into/],
    [
      'referring to itself through others',
      node({ anyOf: [{ type: 'string' }, ref('m')] }, { m: { not: ref('n') } }),
      /without going into/,
    ],
    ['referring to the whole from nowhere', { type: 'object', allOf: [{ $ref: '#' }] }, /without going into/],
    ['going through a thousand references', chain(1000, (next) => next), /from within one another/],
    [
      'with many references to something large',
      {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}`, ref('n')])),
        $defs: { n: { properties: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}`, {}])) } },
      },
      /Written out/,
    ],
    ['with references to elsewhere', node({ $ref: 'https://example.com/x.json' }), /must point into/],
    ['with references by anchor', node({ $ref: '#n' }), /must point into/],
    ['with an ill-formed reference', node({ $ref: '#/%' }), /must point into/],
    ['with references to nothing', node(ref('nobody')), /where nothing is/],
    ['with dynamic references', node({ $dynamicRef: '#n' }), /not supported/],
    ['with an id inside', node({ $id: 'x', properties: { y: { $ref: '#' } } }), /not supported/],
  ])('%s', (_why, schema, message) => {
    expect(schemaFault(schema)).toMatchObject({ message: expect.stringMatching(message), mend: expect.stringMatching(/\.$/) });
  });
});

describe('a parameter schema is taken', () => {
  test.each<[what: string, schema: JsonObject]>([
    ['without anything', { type: 'object' }],
    ['with a tree', node({ properties: { left: ref('n'), right: ref('n') } })],
    ['with a list of the whole', { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } }],
    ['with any JSON value', node({ anyOf: [{ type: 'null' }, { items: ref('n') }, { additionalProperties: ref('n') }] })],
    [
      'with filters',
      node({ oneOf: [{ properties: { and: { items: ref('n') } } }, { properties: { or: { items: ref('n') } } }] }),
    ],
    ['with properties that have their own, and others', node({ properties: { x: ref('n') }, additionalProperties: ref('n') })],
    ['with a tuple and more', node({ prefixItems: [ref('n')], items: ref('n') })],
    ['with a tuple of draft-07', node({ items: [ref('n')], additionalItems: ref('n') })],
    ['with a property called $ref', { type: 'object', properties: { $ref: { type: 'string' }, $id: { type: 'string' } } }],
    ['with a hundred levels of the value', chain(100, (next) => ({ properties: { x: next } }))],
    ['with escapes in a reference', { type: 'object', allOf: [{ $ref: '#/$defs/a~1b~0%20c' }], $defs: { 'a/b~ c': {} } }],
    [
      'with two thousand properties of one kind',
      {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`p${at}`, ref('n')])),
        $defs: { n: {} },
      },
    ],
  ])('%s', (_what, schema) => {
    expect(schemaFault(schema)).toBeUndefined();
  });

  test('whatever it is, as long as it refers to nothing', () => {
    const { schema } = fc.letrec<{ schema: JsonObject; written: JsonObject }>((tie) => ({
      schema: fc.oneof({ maxDepth: 4, depthSize: 'small' }, fc.constant({}), tie('written')),
      written: fc.record(
        {
          properties: fc.dictionary(fc.string({ maxLength: 3 }), tie('schema'), { maxKeys: 3 }),
          items: tie('schema'),
          anyOf: fc.array(tie('schema'), { maxLength: 3 }),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonObject>,
    }));
    fc.assert(
      fc.property(schema, (value) => {
        expect(schemaFault(value)).toBeUndefined();
      }),
    );
  });
});
