import type { Decimal } from 'decimal.js';

/** A value, and how much of it is known. */
export interface Quantity {
  readonly value: Decimal;
  /**
   * log10 of what the value may be off by: -30 when the places from the thirtieth after the point on are not known.
   * `EXACT` when nothing was lost.
   */
  readonly knownTo: number;
}

/** `knownTo` of a value that is the true one. */
export const EXACT = Number.NEGATIVE_INFINITY;

export function isExact({ knownTo }: Quantity): boolean {
  return knownTo === EXACT;
}

/** The power of ten of a quantity's first digit; of one that is zero as far as is known, of what it may be off by. */
export function topOf({ value, knownTo }: Quantity): number {
  return value.isZero() ? knownTo : value.e;
}

/** log10 of the relative error, at most. */
export function relativeError(quantity: Quantity): number {
  return isExact(quantity) ? EXACT : quantity.knownTo - topOf(quantity);
}
