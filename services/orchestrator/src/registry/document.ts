import { clipText } from './clip-text.ts';
import type { Problem } from './model.ts';

/** Where in a file a value is: keys and list positions from the top. */
export type ValuePath = readonly PropertyKey[];

/** A file's content together with where each part of it was written. */
export interface PluginDocument {
  readonly file: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** 1-based line of the key or list item at `path`, or of the nearest thing above it that is there. */
  lineOf(path: ValuePath): number;
}

export type ReadDocument =
  | { readonly document: PluginDocument; readonly problems: readonly [] }
  | {
      readonly document: undefined;
      readonly problems: readonly Problem[];
      /** What could be read of the top level all the same: for naming the capability, never for running it. */
      readonly partial: Readonly<Record<string, unknown>>;
    };

/** Levels of nesting in any file of a plugin: more than any tool's schema has, few enough for recursive walks. */
export const MAX_DEPTH = 40;
/** What is said of a file beyond it. */
export const TOO_DEEP = { message: `The file is nested deeper than ${MAX_DEPTH} levels.`, mend: 'Flatten it.' } as const;
/** Values in any file of a plugin, so that none takes long to check; aliases count each time they are used. */
const MAX_VALUES = 20_000;

export interface TreeFault {
  readonly path: ValuePath;
  readonly message: string;
  readonly mend: string;
}

/** Keys that must not be in a file, with the reason. */
export type RefusedKeys = ReadonlyMap<string, { readonly message: string; readonly mend: string }>;

/** A prototype must not be set by a file, and merging objects would do so. */
export const PROTOTYPE_KEY: RefusedKeys = new Map([
  ['__proto__', { message: 'A key must not be `__proto__`.', mend: 'Rename the key.' }],
]);

/** The first thing that makes a value unfit to be worked on: too deep, too large, or a refused key. */
export function treeFault(root: unknown, refusedKeys: RefusedKeys): TreeFault | undefined {
  const path: PropertyKey[] = [];
  let values = 0;
  const fault = (message: string, mend: string): TreeFault => ({ path: [...path], message, mend });
  const visit = (value: unknown): TreeFault | undefined => {
    if (++values > MAX_VALUES) return fault(`The file holds more than ${MAX_VALUES} values.`, 'Make it smaller.');
    if (typeof value !== 'object' || value === null) return undefined;
    if (path.length >= MAX_DEPTH) return fault(TOO_DEEP.message, TOO_DEEP.mend);
    for (const [key, child] of Object.entries(value)) {
      path.push(Array.isArray(value) ? Number(key) : key);
      const refused = refusedKeys.get(key);
      const found = refused === undefined ? visit(child) : fault(refused.message, refused.mend);
      if (found !== undefined) return found;
      path.pop();
    }
    return undefined;
  };
  return visit(root);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at `path`; undefined when it is not there. */
export function valueAt(root: unknown, path: ValuePath): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** Characters of a key that a message names; longer ones are clipped. */
const MAX_SHOWN_KEY = 80;

/** A path as it is shown: `executor.net[0]`. */
export function showPath(path: ValuePath): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${showKey(key)}`)).join('');
}

/** A key, or another name of a file's own, as it is shown. */
export function showKey(key: PropertyKey): string {
  return clipText(String(key), MAX_SHOWN_KEY);
}
