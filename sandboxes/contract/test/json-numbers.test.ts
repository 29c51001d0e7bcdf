import { firstInexactNumber, parseKeepingNumbers } from '@yuanbot/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** A number with its exact value as a fraction: `digits` × 10^`exponent`. */
interface Written {
  readonly source: string;
  readonly digits: bigint;
  readonly exponent: number;
}

/** Numbers in every spelling of JSON's grammar, those around the bound of whole numbers more often than by chance. */
const number: fc.Arbitrary<Written> = fc
  .record({
    digits: fc.oneof(
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
      fc.integer().map(BigInt),
      fc.constant(0n),
    ),
    /** Digits after the point. */
    places: fc.integer({ min: 0, max: 30 }),
    shift: fc.oneof(fc.constant(undefined), fc.integer({ min: -30, max: 30 }), fc.integer({ min: -420, max: 420 })),
    e: fc.constantFrom('e', 'E'),
    plus: fc.constantFrom('', '+'),
  })
  .map(({ digits, places, shift, e, plus }) => {
    const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0');
    const mantissa = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
    const exponent = shift === undefined ? '' : `${e}${shift < 0 ? '' : plus}${shift}`;
    return { source: `${digits < 0n ? '-' : ''}${mantissa}${exponent}`, digits, exponent: (shift ?? 0) - places };
  });

const MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** The value where it is whole, in exact arithmetic. */
function wholeValue({ digits, exponent }: Written): bigint | undefined {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return digits % unit === 0n ? digits / unit : undefined;
}

/** Whether JavaScript writes the double next to the number with the same value, in exact arithmetic. */
function survives({ source, digits, exponent }: Written): boolean {
  const [mantissa = '', power = '0'] = String(Number(source)).split('e');
  if (!/\d/.test(mantissa)) return false;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const least = Math.min(exponent, Number(power) - fraction.length);
  const written = digits * 10n ** BigInt(exponent - least);
  return written === BigInt(whole + fraction) * 10n ** BigInt(Number(power) - fraction.length - least);
}

function isHeld(written: Written): boolean {
  const whole = /e/i.test(written.source) ? undefined : wholeValue(written);
  if (whole !== undefined) return whole <= MAX && whole >= -MAX;
  return survives(written);
}

describe('firstInexactNumber', () => {
  it('law: finds the first that a double cannot hold, in any spelling', () => {
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const first = numbers.find((written) => !isHeld(written));
        expect(firstInexactNumber(`{"a":[${numbers.map(({ source }) => source).join(',')}]}`)).toBe(first?.source);
      }),
      { numRuns: 1_000 },
    );
  });

  it('law: what it lets through has the same value after JSON.parse and JSON.stringify', () => {
    fc.assert(
      fc.property(number, (written) => {
        if (firstInexactNumber(written.source) === undefined) expect(survives(written)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('law: lets every double through as JavaScript writes it, but for written out whole ones beyond the bound', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const held = String(value).includes('e') || !Number.isInteger(value) || Number.isSafeInteger(value);
        expect(firstInexactNumber(String(value))).toBe(held ? undefined : String(value));
      }),
    );
  });

  it.each([
    '9007199254740993',
    '-9007199254740992',
    '9007199254740993.0',
    '9.007199254740993e15',
    '900719925474099.3E+1',
    '9007199254740992.0',
    '12345678901234567.5',
    '0.12345678901234567890',
    '1e400',
    '-1e400',
    '1e-400',
    '1e99999999999999999999',
  ])('%s is one', (source) => {
    expect(firstInexactNumber(`[1,${source},9007199254740995]`)).toBe(source);
  });

  it.each([
    '9007199254740991',
    '-9007199254740991',
    '9.007199254740991e15',
    '1e16',
    '-6.02214076E+23',
    '9007199254740991.0',
    '0.1',
    '0.30000000000000004',
    '1e-7',
    '5e-324',
    '100000000000000000000e-10',
    '0e400',
    '-0.0',
    '1.10000000000000000000',
  ])('%s is none', (source) => {
    expect(firstInexactNumber(`[${source}]`)).toBeUndefined();
  });

  it('in strings are no numbers', () => {
    expect(firstInexactNumber('{"id":"12345678901234567890","12345678901234567890":"1e400"}')).toBeUndefined();
  });
});

describe('parseKeepingNumbers', () => {
  it('law: numbers come out as they went in, in any spelling', () => {
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const text = `[${numbers.map(({ source }) => source).join(',')}]`;
        expect(JSON.stringify(parseKeepingNumbers(text))).toBe(text);
      }),
    );
  });

  it.each(['1e400', '1.10', '-0', '0.0000001', '9.007199254740993e15', '1E5'])('%s stays', (source) => {
    expect(JSON.stringify(parseKeepingNumbers(`{"a":${source}}`))).toBe(`{"a":${source}}`);
  });
});
