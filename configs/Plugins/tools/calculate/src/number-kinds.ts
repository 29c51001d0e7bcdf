import { Decimal } from 'decimal.js';

/**
 * Digits that sums, products and quotients keep. decimal.js knows π and ln 10 to 1025 digits; everything
 * an expression of 1000 characters writes out fits, and one operation takes microseconds.
 */
export const EXACT_DIGITS = 1000;

/** Powers of ten beyond this are refused: they are nobody's answer, and digits cost time and memory. */
export const MAX_EXPONENT = 9_999;

/**
 * Of the digits that a rounded operation keeps, the last ten are not trusted: the errors of a thousand further
 * operations stay within them.
 */
export const MARGIN = 10;

/** What is kept beyond the digits asked for: the margin, and as much for what cancels out. */
const GUARD_DIGITS = 2 * MARGIN;

const COMMON = {
  defaults: true,
  rounding: Decimal.ROUND_HALF_UP,
  maxE: MAX_EXPONENT,
  minE: -MAX_EXPONENT,
} as const;

/** For operations whose result may be finite. */
export const Exact = Decimal.clone({ ...COMMON, precision: EXACT_DIGITS });

/** For roots, logarithms, exponentials and powers, which take long with many digits. */
export function createRounded(precision: number): typeof Decimal {
  return Decimal.clone({ ...COMMON, precision: precision + GUARD_DIGITS });
}

/** log10 of a value's distance from zero, to some 15 digits; of zero, minus infinity. */
export function magnitude(value: Decimal): number {
  const [leading] = value.abs().toSignificantDigits(15).toExponential().split('e');
  return Math.log10(Number(leading)) + value.e;
}

/** log10 of the digits read as a whole number: 0 for 1, 10 and 0.01, about 1.08 for 12 and 1.2. */
export function coefficientMagnitude(value: Decimal): number {
  return magnitude(value) - value.e + value.sd() - 1;
}

/** From the highest digit of either to the lowest digit of either: what their exact sum may need, less a carry. */
export function digitsSpanned(a: Decimal, b: Decimal): number {
  if (a.isZero() || b.isZero()) return Math.max(a.sd(), b.sd());
  return Math.max(a.e, b.e) - lowestPlace(a, b) + 1;
}

/** The power of ten of the lowest digit of either. */
export function lowestPlace(a: Decimal, b: Decimal): number {
  return Math.min(a.e - a.sd(), b.e - b.sd()) + 1;
}
