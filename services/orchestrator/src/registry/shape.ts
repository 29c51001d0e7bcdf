import { distance } from 'fastest-levenshtein';
import type * as z from 'zod';
import { clipText } from './clip-text.ts';
import { isRecord, type PluginDocument, showPath, type ValuePath, valueAt } from './document.ts';
import type { Problem } from './model.ts';

/** The keys that a format knows. One table serves unknown keys and wrong values alike. */
export interface KeyTable {
  /** By dotted path. */
  readonly rules: ReadonlyMap<string, KeyRule>;
  /** Keys that may stand directly below a dotted path; the top level is the empty one. */
  readonly sections: ReadonlyMap<string, ReadonlySet<string>>;
}

export function createKeyTable(entries: Iterable<readonly [dottedPath: string, KeyRule]>): KeyTable {
  const rules = new Map(entries);
  const sections = Map.groupBy(rules.keys(), (path) => path.slice(0, Math.max(0, path.lastIndexOf('.'))));
  const names = sections
    .entries()
    .map(([section, paths]) => [section, new Set(paths.map((path) => path.slice(path.lastIndexOf('.') + 1)))] as const);
  return { rules, sections: new Map(names) };
}

export interface KeyRule {
  /** What to write instead, as a sentence. */
  readonly mend: string;
  /**
   * The key restricts what the capability may do or who gets it. A misspelt one is an error: a capability is never
   * loaded with a restriction missing.
   */
  readonly restricts?: boolean;
}

/**
 * Reads a document's value by a schema. `value` is undefined exactly when a problem of severity `error` says why; unknown
 * keys are warnings, with the nearest known key, unless they look like a misspelt restriction.
 */
export function readShape<T>(
  document: PluginDocument,
  schema: z.ZodType<T>,
  keys: KeyTable,
): { readonly value: T | undefined; readonly problems: readonly Problem[] } {
  const read = schema.safeParse(document.value);
  const problems = [
    ...unknownKeys(document, keys),
    ...(read.success ? [] : read.error.issues.map((issue) => wrongValue(issue, document, keys))),
  ];
  const usable = read.success && problems.every(({ severity }) => severity === 'warning');
  return { value: usable ? read.data : undefined, problems };
}

function wrongValue(issue: z.core.$ZodIssue, document: PluginDocument, keys: KeyTable): Problem {
  const path = issue.path;
  const value = valueAt(document.value, path);
  return {
    severity: 'error',
    file: document.file,
    line: document.lineOf(path),
    message: value === undefined ? `\`${showPath(path)}\` is missing.` : `\`${showPath(path)}\` cannot be ${shown(value)}.`,
    mend: ruleOf(path, keys)?.mend ?? 'Write the value that this key asks for.',
  };
}

/** The rule of the key at `path`, or of the nearest key above it. */
function ruleOf(path: ValuePath, keys: KeyTable): KeyRule | undefined {
  const names = path.filter((key) => typeof key !== 'number').map(String);
  for (let length = names.length; length > 0; length--) {
    const rule = keys.rules.get(names.slice(0, length).join('.'));
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function unknownKeys(document: PluginDocument, keys: KeyTable): Problem[] {
  const problems: Problem[] = [];
  const visit = (value: Readonly<Record<string, unknown>>, path: readonly string[], section: ReadonlySet<string>): void => {
    for (const [key, child] of Object.entries(value)) {
      const at = [...path, key];
      const below = keys.sections.get(at.join('.'));
      if (!section.has(key)) problems.push(unknownKey(at, section, document, keys));
      else if (below !== undefined && isRecord(child)) visit(child, at, below);
    }
  };
  visit(document.value, [], keys.sections.get('') ?? new Set());
  return problems;
}

function unknownKey(path: readonly string[], section: ReadonlySet<string>, document: PluginDocument, keys: KeyTable): Problem {
  const key = path.at(-1) ?? '';
  const parent = path.slice(0, -1);
  const nearest = nearestKey(key, section);
  const restricts =
    nearest !== undefined && keys.rules.get([...parent, nearest].join('.'))?.restricts === true && isNear(key, nearest);
  return {
    severity: restricts ? 'error' : 'warning',
    file: document.file,
    line: document.lineOf(path),
    message: `Unknown key \`${showPath(path)}\`${restricts ? `, perhaps a misspelt \`${nearest}\`, which restricts the capability` : ''}.`,
    mend: nearest === undefined ? 'Remove it.' : `Remove it; the nearest known key is \`${showPath([...parent, nearest])}\`.`,
  };
}

/** The key with the fewest edits; one that begins like the word, or that the word begins with, comes before all others. */
function nearestKey(key: string, section: ReadonlySet<string>): string | undefined {
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const known of section) {
    const edits = distance(plain(key), plain(known)) + (isNear(key, known) ? 0 : Number.MAX_SAFE_INTEGER / 2);
    if (edits >= fewest) continue;
    nearest = known;
    fewest = edits;
  }
  return nearest;
}

/** Two edits, or one word the beginning of the other (`timeout_secs`). */
function isNear(key: string, known: string): boolean {
  const [a, b] = [plain(key), plain(known)];
  return distance(a, b) <= 2 || (a.length >= 4 && b.startsWith(a)) || a.startsWith(b);
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Values in messages are shortened to this many characters. */
const MAX_SHOWN = 80;

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return clipText(text, MAX_SHOWN);
}
