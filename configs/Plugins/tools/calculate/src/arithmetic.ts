import { Decimal } from 'decimal.js';
import {
  coefficientMagnitude,
  createRounded,
  digitsSpanned,
  EXACT_DIGITS,
  Exact,
  lowestPlace,
  MARGIN,
  MAX_EXPONENT,
  magnitude,
} from './number-kinds.ts';
import { EXACT, isExact, type Quantity, relativeError, topOf } from './quantity.ts';

/** 1000! has 2568 digits; more is a question about size, not about a number. */
const MAX_FACTORIAL = 1_000;

const ZERO = new Exact(0);
const ONE = new Exact(1);

/** The operations on quantities. A mistake is a `RangeError` whose message says what is wrong with the operands. */
export type Arithmetic = ReturnType<typeof createArithmetic>;

/** `precision` is the number of significant digits of the final answer. */
export function createArithmetic(precision: number) {
  const Rounded = createRounded(precision);

  /** The result of an operation that kept all digits (`exact`) or `digits` of them, on operands known to `knownTo`. */
  function result(value: Decimal, knownTo: number, exact: boolean, digits = EXACT_DIGITS): Quantity {
    if (!value.isFinite()) throw new RangeError(`The number is too large: more than ${MAX_EXPONENT} digits`);
    return { value, knownTo: exact ? knownTo : Math.max(knownTo, value.e - digits + MARGIN) };
  }

  /** For operations whose result is zero only when it underflowed. */
  function nonZero(value: Decimal, knownTo: number, exact: boolean, digits?: number): Quantity {
    if (value.isZero()) throw new RangeError(`The number is too close to zero: more than ${MAX_EXPONENT} zeros after the point`);
    return result(value, knownTo, exact, digits);
  }

  /** For operations done with the digits of the answer and some to spare; `error` is the relative error of the operands. */
  function roundedResult(value: Decimal, error: number): Quantity {
    if (error >= 0) throw new RangeError('The result is lost: too few digits of an operand are known');
    return nonZero(new Exact(value), value.e + error, false, Rounded.precision);
  }

  /** What cancelled out down to the places that are not known is zero, as in sqrt(2)^2 - 2. */
  function settled(quantity: Quantity): Quantity {
    return topOf(quantity) <= quantity.knownTo ? { value: ZERO, knownTo: quantity.knownTo } : quantity;
  }

  function literal(raw: string): Quantity {
    const value = new Exact(raw);
    return /^[0.]*([eE]|$)/.test(raw) ? result(value, EXACT, true) : nonZero(value, EXACT, true);
  }

  function add(a: Quantity, b: Quantity): Quantity {
    const fits = digitsSpanned(a.value, b.value) < EXACT_DIGITS;
    return settled(result(Exact.add(a.value, b.value), Math.max(a.knownTo, b.knownTo), fits));
  }

  function negate(a: Quantity): Quantity {
    return { value: a.value.neg(), knownTo: a.knownTo };
  }

  function multiply(a: Quantity, b: Quantity): Quantity {
    if (a.value.isZero() || b.value.isZero()) {
      return { value: ZERO, knownTo: Math.max(topOf(a) + b.knownTo, topOf(b) + a.knownTo) };
    }
    const product = Exact.mul(a.value, b.value);
    const fits = a.value.sd() + b.value.sd() <= EXACT_DIGITS;
    return nonZero(product, product.e + Math.max(relativeError(a), relativeError(b)), fits);
  }

  function divide(a: Quantity, b: Quantity): Quantity {
    if (b.value.isZero()) throw new RangeError('Division by zero');
    if (a.value.isZero()) return { value: ZERO, knownTo: a.knownTo - b.value.e };
    const quotient = Exact.div(a.value, b.value);
    const comesBack = quotient.sd() + b.value.sd() <= EXACT_DIGITS && quotient.times(b.value).eq(a.value);
    return nonZero(quotient, quotient.e + Math.max(relativeError(a), relativeError(b)), comesBack);
  }

  /** The remainder of a floored division: it has the sign of the divisor. */
  function remainder(a: Quantity, b: Quantity): Quantity {
    if (b.value.isZero()) throw new RangeError('Remainder of a division by zero');
    // An error of the divisor counts as often as the divisor fits in.
    const knownTo = Math.max(a.knownTo, a.value.e - b.value.e + b.knownTo);
    if (knownTo >= b.value.e) throw new RangeError('The remainder is lost: the number has more digits than are kept');
    const [dividend, divisor] = [rounded(a.value, knownTo), rounded(b.value, b.knownTo)];
    const truncated = Exact.mod(dividend, divisor);
    const crossed = !truncated.isZero() && truncated.isNeg() !== divisor.isNeg();
    const fits = divisor.e - lowestPlace(dividend, divisor) + 1 < EXACT_DIGITS;
    return settled(result(crossed ? truncated.plus(divisor) : truncated, knownTo, fits));
  }

  function power(base: Quantity, exponent: Quantity): Quantity {
    if (base.value.isZero() && exponent.value.isNeg()) throw new RangeError('Division by zero: a negative power of 0');
    if (exponent.value.isInteger() && isExact(exponent)) return integerPower(base, exponent);
    if (base.value.isNeg()) throw new RangeError('A negative number has no real power that is not whole');
    if (exponent.value.eq(0.5) && isExact(exponent)) return squareRoot(base);
    if (base.value.isZero()) return base;
    // An error of the exponent counts as often as the base's logarithm says, one of the base as the exponent says.
    const logarithm = Math.log10(Math.abs(magnitude(base.value)) * Math.LN10);
    const error = Math.max(relativeError(base) + magnitude(exponent.value), exponent.knownTo + logarithm);
    return roundedResult(Rounded.pow(base.value, exponent.value), error);
  }

  function integerPower(base: Quantity, exponent: Quantity): Quantity {
    if (exponent.value.isZero()) return { value: ONE, knownTo: EXACT };
    if (base.value.isZero()) return base;
    if (exponent.value.isNeg()) return divide({ value: ONE, knownTo: EXACT }, integerPower(base, negate(exponent)));
    const fits = coefficientMagnitude(base.value) * exponent.value.toNumber() < EXACT_DIGITS - 1;
    const error = relativeError(base) + magnitude(exponent.value);
    if (!fits) return roundedResult(Rounded.pow(base.value, exponent.value), error);
    const value = Exact.pow(base.value, exponent.value);
    return nonZero(value, value.e + error, true);
  }

  function squareRoot(a: Quantity): Quantity {
    if (a.value.isNeg() && !a.value.isZero()) throw new RangeError('A negative number has no real square root');
    if (a.value.isZero()) return { value: ZERO, knownTo: a.knownTo / 2 };
    const root = new Exact(Rounded.sqrt(a.value));
    return root.times(root).eq(a.value) ? result(root, root.e + relativeError(a), true) : roundedResult(root, relativeError(a));
  }

  function exponential(a: Quantity): Quantity {
    return a.value.isZero() ? { value: ONE, knownTo: a.knownTo } : roundedResult(Rounded.exp(a.value), a.knownTo);
  }

  function naturalLogarithm(a: Quantity): Quantity {
    return logarithm(a, (value) => Rounded.ln(value));
  }

  function decimalLogarithm(a: Quantity): Quantity {
    if (isExact(a) && a.value.gt(0) && coefficientMagnitude(a.value) === 0)
      return { value: new Exact(a.value.e), knownTo: EXACT };
    return logarithm(a, (value) => Rounded.log10(value));
  }

  function logarithm(a: Quantity, of: (value: Decimal) => Decimal): Quantity {
    if (!a.value.gt(0)) throw new RangeError('A logarithm needs a number above 0');
    const value = new Exact(of(a.value));
    if (value.isZero()) return { value: ZERO, knownTo: relativeError(a) };
    return settled(result(value, relativeError(a), false, Rounded.precision));
  }

  function factorial(a: Quantity): Quantity {
    const { value } = isExact(a) ? a : toInteger(a, 'floor');
    if (!value.isInteger() || value.isNeg() || value.gt(MAX_FACTORIAL) || !value.eq(rounded(a.value, a.knownTo))) {
      throw new RangeError(`A factorial needs a whole number from 0 to ${MAX_FACTORIAL}`);
    }
    let product = 1n;
    for (let factor = BigInt(value.toNumber()); factor > 1n; factor--) product *= factor;
    return { value: new Exact(product.toString()), knownTo: EXACT };
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
    absolute: (a: Quantity): Quantity => ({ value: a.value.abs(), knownTo: a.knownTo }),
    pi: () => result(Exact.acos(-1), EXACT, false),
  };
}

function toInteger(a: Quantity, mode: 'floor' | 'ceil'): Quantity {
  return stepped(a, (value) => value[mode]());
}

/** Half away from zero, to `places` decimals; negative places round to tens, hundreds, … */
function roundTo(a: Quantity, places: Quantity): Quantity {
  if (!places.value.isInteger() || places.value.abs().gt(EXACT_DIGITS)) {
    throw new RangeError(`The decimal places of round must be a whole number from -${EXACT_DIGITS} to ${EXACT_DIGITS}`);
  }
  return stepped(a, (value) => rounded(value, -places.value.toNumber()));
}

/**
 * A step function of a value. One that is not exact may stand on either side of a step: where both ends of its range
 * give the same, the answer is certain.
 */
function stepped(a: Quantity, step: (value: Decimal) => Decimal): Quantity {
  if (isExact(a)) return { value: step(a.value), knownTo: EXACT };
  const error = new Exact(10).pow(Math.ceil(a.knownTo));
  const [low, high] = [step(a.value.minus(error)), step(a.value.plus(error))];
  if (low.eq(high)) return { value: low, knownTo: EXACT };
  return { value: step(rounded(a.value, a.knownTo)), knownTo: a.knownTo };
}

/** To the last place that is known, half away from zero. */
function rounded(value: Decimal, knownTo: number): Decimal {
  if (knownTo === EXACT) return value;
  const place = Math.ceil(knownTo);
  return place <= 0 ? value.toDecimalPlaces(-place) : value.toNearest(new Exact(10).pow(place), Decimal.ROUND_HALF_UP);
}
