/**
 * JSON in which every number stays as it was written. `JSON.parse` rounds 12345678901234567890, makes an infinity of 1e400 and
 * turns 1.10 into 1.1; ids and amounts that tools return must survive.
 *
 * Rests on JSON.parse source text access (ES2026); TypeScript's library does not declare it yet.
 */
interface SourceTextAccess {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}

const json = JSON as unknown as SourceTextAccess;

/** Whole numbers of up to 15 digits are written by `JSON.stringify` as they came; texts of no others take the fast path. */
const ANY_OTHER_NUMBER = /\d[.eE]|-0|\d{16}/;

/** Like `JSON.parse`; numbers that would be written differently come as raw JSON objects that `JSON.stringify` writes as they were. */
export function parseKeepingNumbers(text: string): unknown {
  return ANY_OTHER_NUMBER.test(text) ? json.parse(text, keepAsWritten) : JSON.parse(text);
}

function keepAsWritten(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined || String(value) === context.source) return value;
  return json.rawJSON(context.source);
}

/** A double holds every decimal of up to 15 digits; texts without a longer one and without an exponent take the fast path. */
const LONG_NUMBER_OR_EXPONENT = /[\d.]{16}|\d[eE]/;

/**
 * The first number in `text` that a double cannot hold, as written; undefined when there is none. The rule:
 *
 * - A number is held when the double nearest to it is written with the same value again, so that its canonical form
 *   (RFC 8785) says what it said: 0.1 and 6.02e23 are. 9007199254740993, 9.007199254740993e15, 12345678901234567.5 and
 *   0.12345678901234567890 are not, nor is 1e400, which has no double, or 1e-400, which would become 0.
 * - A whole number that is written out, with `.0` or without, is held up to ±(2^53−1) and never beyond: it is an id or an
 *   amount, and there neighbours become one (RFC 8259 §6). With an exponent it is a measure, and the first rule is enough.
 */
export function firstInexactNumber(text: string): string | undefined {
  if (!LONG_NUMBER_OR_EXPONENT.test(text)) return undefined;
  let found: string | undefined;
  json.parse(text, (_key, value, { source }) => {
    if (typeof value === 'number' && source !== undefined && !isHeld(source, value)) found ??= source;
    return value;
  });
  return found;
}

function isHeld(source: string, value: number): boolean {
  const written = decimalOf(source);
  const held = decimalOf(String(value));
  if (held.digits !== written.digits || held.exponent !== written.exponent) return false;
  const isWrittenOut = written.exponent >= 0 && !/e/i.test(source);
  return !isWrittenOut || Number.isSafeInteger(value);
}

/** `digits` × 10^`exponent`, without zeros at either end of the digits; zero is 0 × 10^0. The sign is left out. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** Of a number in JSON's grammar, which is also how JavaScript writes one; an infinity is like no number. */
function decimalOf(number: string): Decimal {
  const [mantissa = '', exponent = '0'] = number.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return { digits: '0', exponent: 0 };
  return { digits, exponent: Number(exponent) - fraction.length + (all.length - digits.length) };
}
