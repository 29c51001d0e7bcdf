import type { Decimal } from 'decimal.js';

/** A value, and whether it is the true one or has lost digits on the way. */
export interface Quantity {
  readonly value: Decimal;
  readonly exact: boolean;
}
