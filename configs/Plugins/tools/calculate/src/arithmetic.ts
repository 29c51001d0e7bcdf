import { Decimal } from 'decimal.js';
import type { Quantity } from './quantity.ts';

/**
 * Digits that sums, products and quotients keep. decimal.js knows π and ln 10 to 1025 digits; everything
 * an expression of 1000 characters writes out fits, and one operation takes microseconds.
 */
const EXACT_DIGITS = 1000;

/** Powers of ten beyond this are refused: they are nobody's answer, and digits cost time and memory. */
const MAX_EXPONENT = 9_999;

/** Digits beyond those asked for that a logarithm, exponential or power keeps, so that the last one asked for is right. */
const GUARD_DIGITS = 20;

/** 1000! has 2568 digits; more is a question about size, not about a number. */
const MAX_FACTORIAL = 1_000;

/** The operations on quantities. A mistake is a `RangeError` whose message says what is wrong with the operands. */
export type Arithmetic = ReturnType<typeof createArithmetic>;

const Exact = Decimal.clone({
  defaults: true,
  precision: EXACT_DIGITS,
  rounding: Decimal.ROUND_HALF_UP,
  modulo: Decimal.ROUND_FLOOR,
  maxE: MAX_EXPONENT,
  minE: -MAX_EXPONENT,
});
const ZERO = new Exact(0);
const ONE = new Exact(1);

/** `precision` is the number of significant digits of the final answer. */
export function createArithmetic(precision: number) {
  const Rounded = Decimal.clone({
    defaults: true,
    precision: precision + GUARD_DIGITS,
    rounding: Decimal.ROUND_HALF_UP,
    maxE: MAX_EXPONENT,
    minE: -MAX_EXPONENT,
  });
  /** Half of the guard digits are trusted, the other half absorb the errors of a long expression. */
  const noise = new Exact(10).pow(-(precision + GUARD_DIGITS / 2));

  function quantity(value: Decimal, exact: boolean): Quantity {
    if (!value.isFinite()) throw new RangeError(`The number is too large: more than ${MAX_EXPONENT} digits`);
    return { value, exact };
  }

  /** For operations whose result is zero only when it underflowed. */
  function nonZero(value: Decimal, exact: boolean): Quantity {
    if (value.isZero()) throw new RangeError(`The number is too close to zero: more than ${MAX_EXPONENT} zeros after the point`);
    return quantity(value, exact);
  }

  function literal(raw: string): Quantity {
    const value = new Exact(raw);
    return /^[0.]*([eE]|$)/.test(raw) ? quantity(value, true) : nonZero(value, true);
  }

  function add(a: Quantity, b: Quantity): Quantity {
    const sum = Exact.add(a.value, b.value);
    if (a.exact && b.exact) return quantity(sum, digitsSpanned(a.value, b.value) < EXACT_DIGITS);
    // What is left when inexact numbers cancel out is noise, as in sqrt(2)^2 - 2.
    const scale = Exact.max(a.value.abs(), b.value.abs());
    return quantity(sum.abs().lte(scale.times(noise)) ? ZERO : sum, false);
  }

  function negate(a: Quantity): Quantity {
    return { value: a.value.neg(), exact: a.exact };
  }

  function multiply(a: Quantity, b: Quantity): Quantity {
    const exact = a.exact && b.exact && a.value.sd() + b.value.sd() <= EXACT_DIGITS;
    const product = Exact.mul(a.value, b.value);
    return a.value.isZero() || b.value.isZero() ? quantity(ZERO, a.exact && b.exact) : nonZero(product, exact);
  }

  function divide(a: Quantity, b: Quantity): Quantity {
    if (b.value.isZero()) throw new RangeError('Division by zero');
    if (a.value.isZero()) return quantity(ZERO, a.exact && b.exact);
    const quotient = Exact.div(a.value, b.value);
    const comesBack = quotient.sd() + b.value.sd() <= EXACT_DIGITS && quotient.times(b.value).eq(a.value);
    return nonZero(quotient, a.exact && b.exact && comesBack);
  }

  /** The remainder of a floored division: it has the sign of the divisor. */
  function remainder(a: Quantity, b: Quantity): Quantity {
    if (b.value.isZero()) throw new RangeError('Remainder of a division by zero');
    const whole = toInteger(divide(a, b), 'floor');
    return add(a, negate(multiply(whole, b)));
  }

  function power(base: Quantity, exponent: Quantity): Quantity {
    if (base.value.isZero() && exponent.value.isNeg()) throw new RangeError('Division by zero: a negative power of 0');
    if (exponent.value.isInteger()) return integerPower(base, exponent);
    if (base.value.isNeg()) throw new RangeError('A negative number has no real power that is not whole');
    if (exponent.value.eq(0.5)) return squareRoot({ value: base.value, exact: base.exact && exponent.exact });
    if (base.value.isZero()) return base;
    return nonZero(new Exact(Rounded.pow(base.value, exponent.value)), false);
  }

  function integerPower(base: Quantity, exponent: Quantity): Quantity {
    if (base.value.isZero() || base.value.eq(1)) {
      return quantity(exponent.value.isZero() ? ONE : base.value, base.exact && exponent.exact);
    }
    if (exponent.value.isNeg()) return divide({ value: ONE, exact: true }, integerPower(base, negate(exponent)));
    const fits = coefficientMagnitude(base.value) * exponent.value.toNumber() < EXACT_DIGITS - 1;
    const Kind = fits ? Exact : Rounded;
    return nonZero(new Exact(Kind.pow(base.value, exponent.value)), fits && base.exact && exponent.exact);
  }

  function squareRoot(a: Quantity): Quantity {
    if (a.value.isNeg() && !a.value.isZero()) throw new RangeError('A negative number has no real square root');
    const root = new Exact(Rounded.sqrt(a.value));
    return quantity(root, a.exact && root.times(root).eq(a.value));
  }

  function exponential(a: Quantity): Quantity {
    if (a.value.isZero()) return quantity(ONE, a.exact);
    return nonZero(new Exact(Rounded.exp(a.value)), false);
  }

  function naturalLogarithm(a: Quantity): Quantity {
    requirePositive(a);
    return a.value.eq(1) ? quantity(ZERO, a.exact) : quantity(new Exact(Rounded.ln(a.value)), false);
  }

  function decimalLogarithm(a: Quantity): Quantity {
    requirePositive(a);
    if (coefficientMagnitude(a.value) === 0) return quantity(new Exact(a.value.e), a.exact);
    return quantity(new Exact(Rounded.log10(a.value)), false);
  }

  function factorial(a: Quantity): Quantity {
    if (!a.value.isInteger() || a.value.isNeg() || a.value.gt(MAX_FACTORIAL)) {
      throw new RangeError(`A factorial needs a whole number from 0 to ${MAX_FACTORIAL}`);
    }
    let product = 1n;
    for (let factor = BigInt(a.value.toNumber()); factor > 1n; factor--) product *= factor;
    return quantity(new Exact(product.toString()), a.exact);
  }

  /**
   * A whole number. An inexact operand may stand on either side of the step, so both ends of its range are
   * asked: where they agree the answer is certain.
   */
  function toInteger(a: Quantity, mode: 'floor' | 'ceil'): Quantity {
    return certain(a, (value) => value[mode]());
  }

  /** Half away from zero, to `places` decimals; negative places round to tens, hundreds, … */
  function roundTo(a: Quantity, places: Quantity): Quantity {
    if (!places.value.isInteger() || places.value.abs().gt(EXACT_DIGITS)) {
      throw new RangeError(`The decimal places of round must be a whole number from -${EXACT_DIGITS} to ${EXACT_DIGITS}`);
    }
    const digits = places.value.toNumber();
    return certain(a, (value) =>
      digits >= 0 ? value.toDecimalPlaces(digits) : value.toNearest(new Exact(10).pow(-digits), Decimal.ROUND_HALF_UP),
    );
  }

  function certain(a: Quantity, step: (value: Decimal) => Decimal): Quantity {
    if (a.exact) return quantity(step(a.value), true);
    const margin = a.value.abs().times(noise);
    const [low, high] = [step(a.value.minus(margin)), step(a.value.plus(margin))];
    if (low.eq(high)) return quantity(low, true);
    return quantity(step(a.value.toSignificantDigits(precision)), false);
  }

  return {
    literal,
    add,
    subtract: (a: Quantity, b: Quantity) => add(a, negate(b)),
    negate,
    multiply,
    divide,
    remainder,
    power,
    squareRoot,
    exponential,
    naturalLogarithm,
    decimalLogarithm,
    factorial,
    toInteger,
    roundTo,
    absolute: (a: Quantity): Quantity => ({ value: a.value.abs(), exact: a.exact }),
    pi: (): Quantity => ({ value: Exact.acos(-1), exact: false }),
  };
}

function requirePositive(a: Quantity): void {
  if (!a.value.gt(0)) throw new RangeError('A logarithm needs a number above 0');
}

/** From the highest digit of either to the lowest digit of either: what their exact sum may need, less a carry. */
function digitsSpanned(a: Decimal, b: Decimal): number {
  if (a.isZero() || b.isZero()) return Math.max(a.sd(), b.sd());
  return Math.max(a.e, b.e) - Math.min(a.e - a.sd(), b.e - b.sd()) + 1;
}

/** log10 of the digits read as a whole number: 0 for 1, 10 and 0.01, about 1.08 for 12 and 1.2. */
function coefficientMagnitude(value: Decimal): number {
  const digits = value.sd();
  const leading = Number(value.abs().toSignificantDigits(15).times(Exact.pow(10, -value.e)));
  return Math.log10(leading) + digits - 1;
}
