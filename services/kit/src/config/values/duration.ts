import { type Quantity, type QuantityKey, quantityKey } from './quantity.ts';

/** In milliseconds; a bare number counts seconds (seed 003 §9.3, `tool_execution_timeout: 10`). */
export const DURATION: Quantity = {
  noun: 'a duration',
  examples: '500ms, 10s, 5m, 1h, or a number of seconds',
  units: new Map([
    ['ms', 1],
    ['s', 1000],
    ['m', 60_000],
    ['h', 3_600_000],
  ]),
  bare: 1000,
};

/** A time span, in milliseconds once read; `min` and `max` are milliseconds too. */
export function duration(key: QuantityKey) {
  return quantityKey(DURATION, key);
}
