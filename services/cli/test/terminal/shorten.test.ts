import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { shorten } from '../../src/terminal/shorten.ts';

test('cuts at a whole character and marks the cut', () => {
  expect(shorten('北京市', 6)).toBe('北京市');
  expect(shorten('北京市', 5)).toBe('北京…');
  expect(shorten('北京市', 4)).toBe('北…');
  expect(shorten('ab👨‍👩‍👧c', 4)).toBe('ab…');
});

test('law: never wider than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
      expect(stringWidth(shorten(text, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});
