import * as z from 'zod';

/** Longest a tool may run: longer work belongs in a job of the backend, not in a model's turn. */
const MAX_TIMEOUT_MS = 600_000;
const TIMEOUT = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s)$/;

/** `10s`, `500ms`, or a number of seconds (seed 003 §5.1, §9.3); whole milliseconds once read. */
export const timeoutField = z
  .union([z.number(), z.string()])
  .transform(milliseconds)
  .pipe(z.number().int().min(1).max(MAX_TIMEOUT_MS));

function milliseconds(written: number | string): number {
  if (typeof written === 'number') return Math.round(written * 1000);
  const [, digits, unit] = TIMEOUT.exec(written) ?? [];
  return Math.round(Number(digits) * (unit === 's' ? 1000 : 1));
}
