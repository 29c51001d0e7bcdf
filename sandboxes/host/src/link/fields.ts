import { FrameError } from './frame.ts';

/**
 * Reads the head of a message that came from a host process. What runs there may have broken out of its
 * compartment: every field is checked, and a wrong one breaks the link.
 */
export interface Fields {
  text(name: string): string;
  /** A finite number that is not negative. */
  amount(name: string): number;
  /** A whole number from 0 to 2³²−1. */
  index(name: string): number;
  list(name: string): readonly Fields[];
  texts(name: string): readonly string[];
}

const MAX_INDEX = 0xffff_ffff;

export function parseFields(json: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new FrameError('A message has a head that is not JSON.', { cause });
  }
  return fieldsOf(value);
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new FrameError('A message has a head that is not an object.');
  const record = value as Record<string, unknown>;

  function read<T>(name: string, fits: (field: unknown) => field is T): T {
    const field = record[name];
    if (!fits(field)) throw new FrameError(`A message has an unfit field ${name}.`);
    return field;
  }

  return {
    text: (name) => read(name, isText),
    amount: (name) => read(name, isAmount),
    index: (name) => read(name, isIndex),
    list: (name) => read(name, Array.isArray).map(fieldsOf),
    texts: (name) => read(name, isTexts),
  };
}

function isText(field: unknown): field is string {
  return typeof field === 'string';
}

function isTexts(field: unknown): field is readonly string[] {
  return Array.isArray(field) && field.every(isText);
}

function isAmount(field: unknown): field is number {
  return typeof field === 'number' && Number.isFinite(field) && field >= 0;
}

function isIndex(field: unknown): field is number {
  return isAmount(field) && Number.isInteger(field) && field <= MAX_INDEX;
}
