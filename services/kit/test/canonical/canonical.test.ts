import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('canonicalJson', () => {
  it('is RFC 8785: sorted by UTF-16 units, numbers as ECMAScript writes them', () => {
    expect(canonicalJson({ b: 1e21, a: [1.0, -0, 0.000001], '€': '\u000f', '\ud83d\ude00': null, '\ufb33': true })).toBe(
      '{"a":[1,0,0.000001],"b":1e+21,"€":"\\u000f","\ud83d\ude00":null,"\ufb33":true}',
    );
  });

  it('keeps an own __proto__ key', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1},"z":0}'))).toBe('{"__proto__":{"a":1},"z":0}');
  });

  it('says the same of values that JSON cannot tell apart, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        const text = canonicalJson(value);
        expect(canonicalJson(reversed)).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it.each([
    ['undefined', undefined],
    ['a lone surrogate', { a: '\ud800' }],
    ['an infinity', [Number.POSITIVE_INFINITY]],
    ['a function', () => 1],
  ])('refuses %s', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});

it('sha256Digest names its algorithm', () => {
  expect(sha256Digest('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256Digest(new TextEncoder().encode('abc'))).toBe(sha256Digest('abc'));
});
