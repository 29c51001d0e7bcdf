/**
 * JSON in which every number stays as it was written. `JSON.parse` rounds 12345678901234567890 and
 * turns 1.10 into 1.1; ids and amounts that tools return must survive.
 *
 * Rests on JSON.parse source text access (ES2026); TypeScript's library does not declare it yet.
 */
interface SourceTextAccess {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}

const json = JSON as unknown as SourceTextAccess;

/** Only a number of 16 digits or more can lose some of them; texts without one take the fast path. */
const LONG_NUMBER = /\d{16}/;

/** Like `JSON.parse`; long numbers come as raw JSON objects that `JSON.stringify` writes as they were. */
export function parseKeepingNumbers(text: string): unknown {
  return LONG_NUMBER.test(text) ? json.parse(text, keepAsWritten) : JSON.parse(text);
}

function keepAsWritten(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined || String(value) === context.source) return value;
  return json.rawJSON(context.source);
}

/** The first number in `text` that a double cannot hold exactly, as written; undefined when there is none. */
export function firstInexactNumber(text: string): string | undefined {
  if (!LONG_NUMBER.test(text)) return undefined;
  let found: string | undefined;
  json.parse(text, (_key, value, { source }) => {
    if (typeof value === 'number' && source !== undefined && /^-?\d+$/.test(source) && !Number.isSafeInteger(value))
      found ??= source;
    return value;
  });
  return found;
}
