import type * as z from 'zod';
import type { botSchema } from './schema/bot.ts';

/** The configuration as the services use it: complete, in base units, frozen all the way down. */
export type Config = Frozen<z.output<ReturnType<typeof botSchema>>>;

type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value;

/** Freezes a value and all that it holds. */
export function deepFreeze<Value>(value: Value): Frozen<Value>;
export function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
