import { InvalidArgumentError } from 'commander';

/** For a flag that may be given more than once. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** A whole number from 0 up to what a uint32 of the API holds. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > 0xffff_ffff) throw new InvalidArgumentError('Write a whole number.');
  return Number(text);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** `500ms`, `10s`, `1.5m`; in ms, at least 1. */
export function duration(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m)$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * (UNIT_MS[unit] ?? Number.NaN));
  if (!(ms >= 1)) throw new InvalidArgumentError('Write a time with its unit, such as 500ms, 10s or 2m.');
  return ms;
}
