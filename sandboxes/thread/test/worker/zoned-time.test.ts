import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zonedTime } from '../../src/worker/zoned-time.ts';

const ZONES = Intl.supportedValuesOf('timeZone');

test('the parts and the offset give the moment back, in every zone', () => {
  fc.assert(
    fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.constantFrom(...ZONES), (epochMs, zone) => {
      const { year, month, day, hour, minute, second, weekday, offsetMinutes } = zonedTime(epochMs, zone);
      const shown = new Date(0);
      shown.setUTCFullYear(year, month - 1, day);
      shown.setUTCHours(hour, minute, second);
      // Within a day of the last moment there is, the clock on the wall shows one that there is not.
      if (Number.isNaN(shown.getTime())) return;
      expect(Math.round(shown.getTime() / 1000 - offsetMinutes * 60)).toBe(Math.floor(epochMs / 1000));
      expect(weekday % 7).toBe(shown.getUTCDay());
    }),
  );
});

test('it agrees with Intl about the hour, summer time included', () => {
  const moments = fc.integer({ min: 0, max: 4e12 });
  fc.assert(
    fc.property(moments, fc.constantFrom(...ZONES), (epochMs, zone) => {
      const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric' });
      const shown = format.formatToParts(epochMs);
      const { hour, minute } = zonedTime(epochMs, zone);
      expect(Number(shown.find(({ type }) => type === 'hour')?.value)).toBe(hour);
      expect(Number(shown.find(({ type }) => type === 'minute')?.value)).toBe(minute);
    }),
    { numRuns: 50 },
  );
});

test.each([
  [Number.NaN, 'UTC', 'milliseconds'],
  [8.65e15, 'UTC', 'milliseconds'],
  ['0', 'UTC', 'milliseconds'],
  [0, '', 'time zone'],
  [0, undefined, 'time zone'],
  [0, 'Nowhere/Land', '"Nowhere/Land"'],
  [0, 'x'.repeat(10_000), 'xxx'],
])('%s in %s is refused in words', (epochMs, zone, words) => {
  expect(() => zonedTime(epochMs, zone)).toThrow(words);
});
