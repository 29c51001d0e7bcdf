import { expect, test } from 'vitest';
import { duration, wholeNumber } from '../../src/options/values.ts';

test.each([
  ['500ms', 500],
  ['10s', 10_000],
  ['1.5m', 90_000],
])('%s is %d ms', (text, ms) => {
  expect(duration(text)).toBe(ms);
});

test.each(['10', '0s', '-1s', '1h', '1 s', 'ms', '1e3s', ''])('"%s" is no time', (text) => {
  expect(() => duration(text)).toThrow('Write a time with its unit');
});

test('a whole number is what the API can hold', () => {
  expect(wholeNumber('0')).toBe(0);
  expect(wholeNumber('4294967295')).toBe(4294967295);
  for (const text of ['4294967296', '-1', '1.0', '', 'x']) expect(() => wholeNumber(text)).toThrow('Write a whole number.');
});
