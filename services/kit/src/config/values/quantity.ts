import * as z from 'zod';
import { must } from './shown.ts';

/** A number with a unit, as an operator writes it: `10s`, `1.5MiB`. */
export interface Quantity {
  /** What a message calls it, and how it may be written. */
  readonly noun: string;
  readonly examples: string;
  /** What one of each unit is worth, in the base unit. */
  readonly units: ReadonlyMap<string, number>;
  /** What a bare number counts, in the base unit. */
  readonly bare: number;
}

const NUMBER_AND_UNIT = /^(\d{1,15}(?:\.\d{1,6})?) ?([A-Za-z]*)$/;

/** The value in whole base units; undefined when the text is no such quantity or falls between two base units. */
export function parseQuantity(written: number | string, { units, bare }: Quantity): number | undefined {
  const [, digits, unit] = NUMBER_AND_UNIT.exec(String(written)) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const worth = unit === '' ? bare : units.get(unit);
  const value = worth === undefined ? Number.NaN : Number(digits) * worth;
  const rounded = Math.round(value);
  // Binary fractions: 1.1 * 1000 is 1100.0000000000002, which is 1100.
  return Number.isSafeInteger(rounded) && Math.abs(value - rounded) < 1e-6 ? rounded : undefined;
}

/** The shortest text that `parseQuantity` reads back as `value`: in the largest unit that divides it. */
export function formatQuantity(value: number, { units }: Quantity): string {
  const [unit, worth] = [...units].filter(([, each]) => value % each === 0).sort((a, b) => b[1] - a[1])[0] ?? ['', 1];
  return `${value / worth}${unit}`;
}

export interface QuantityKey {
  /** Bounds, in the base unit, both allowed. */
  readonly min: number;
  readonly max: number;
  /** As it would be written in the file. */
  readonly default: number | string;
  readonly meaning: string;
}

/** The schema of a key that holds such a quantity; a whole number of base units once read. */
export function quantityKey(quantity: Quantity, { min, max, default: fallback, meaning }: QuantityKey) {
  const bounds = `from ${formatQuantity(min, quantity)} to ${formatQuantity(max, quantity)}`;
  const rule = must(`${quantity.noun} ${bounds} (${quantity.examples})`);
  return z
    .union([z.number(), z.string()], rule)
    .transform((written, context) => {
      const value = parseQuantity(written, quantity);
      if (value !== undefined && value >= min && value <= max) return value;
      context.addIssue({ code: 'custom', message: rule.error({ input: written }) });
      return z.NEVER;
    })
    .prefault(fallback)
    .describe(meaning);
}
