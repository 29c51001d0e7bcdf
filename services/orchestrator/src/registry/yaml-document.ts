import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import {
  isRecord,
  MAX_DEPTH,
  PROTOTYPE_KEY,
  type ReadDocument,
  type RefusedKeys,
  TOO_DEEP,
  treeFault,
  type ValuePath,
} from './document.ts';
import type { Problem } from './model.ts';
import { MAX_ALIASES, structureFault } from './yaml-structure.ts';
import { parseYaml } from './yaml-syntax.ts';

/**
 * Reads one YAML 1.2 document (core schema) whose top level is a mapping. Refused rather than guessed at: repeated
 * keys, tags of its own, merge keys, a second document, `__proto__`, deep nesting, alias bombs. Never throws.
 *
 * Under the top-level keys in `textKeys` plain scalars stay as written: `version: 1.10` is "1.10", not 1.1.
 */
export function readYaml(text: string, file: string, textKeys: ReadonlySet<string>): ReadDocument {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  let document: Document | undefined;
  const refuse = (line: number, message: string, mend: string): ReadDocument =>
    broken([{ severity: 'error', file, line, message, mend }], document && partialTopLevel(document, textKeys));
  let value: unknown;
  try {
    const parsed = parseYaml(text, { lines, maxDepth: MAX_DEPTH, options: OPTIONS });
    if ('tooDeepAt' in parsed) return refuse(lineAt(parsed.tooDeepAt), TOO_DEEP.message, TOO_DEEP.mend);
    const [first, second] = parsed.documents;
    if (first === undefined) return refuse(1, 'The file is empty.', 'Write one `key: value` a line.');
    document = first;
    const faults = [...document.errors, ...document.warnings];
    if (faults.length > 0) {
      const problems = faults.slice(0, MAX_FAULTS).map((fault) => syntaxProblem(fault, file, lineAt(fault.pos[0])));
      return broken(problems, partialTopLevel(document, textKeys));
    }
    if (second !== undefined) {
      const mend = 'Keep one document in the file: remove the line `---` and what follows it.';
      return refuse(lineAt(second.range?.[0] ?? text.length), 'The file holds several documents.', mend);
    }
    const fault = structureFault(document);
    if (fault !== undefined) return refuse(lineAt(fault.offset), fault.message, fault.mend);
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    // An alias bomb.
    const reason = error instanceof Error ? firstLine(error.message) : String(error);
    return refuse(1, `The YAML cannot be read: ${reason}.`, 'Flatten it, and write values out instead of using aliases.');
  }
  const read = document;
  const offsetOf = createOffsetOf(read);
  const lineOf = (path: ValuePath): number => lineAt(offsetOf(path));
  const fault = treeFault(value, REFUSED_KEYS);
  if (fault !== undefined) return refuse(lineOf(fault.path), fault.message, fault.mend);
  if (!isRecord(value)) {
    const message = text.trim() === '' ? 'The file is empty.' : 'The file is not a mapping of keys to values.';
    return refuse(1, message, 'Write one `key: value` a line.');
  }
  return { document: { file, value: { ...value, ...textAsWritten(read, textKeys) }, lineOf }, problems: [] };
}

const OPTIONS = {
  prettyErrors: false,
  schema: 'core',
  resolveKnownTags: false,
  stringKeys: true,
  // `structureFault` looks for repeated keys.
  uniqueKeys: false,
} as const;

/** Faults told at once; the rest mostly follow from the first ones. */
const MAX_FAULTS = 10;

const YAML_MENDS: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: 'Indent with spaces, not with tabs.',
  BLOCK_AS_IMPLICIT_KEY: 'Put the value in quotes: a plain value must not contain `: `. Write `key: "value: with colon"`.',
  MULTILINE_IMPLICIT_KEY: 'Write `key: value`, with a colon and a space, on one line.',
  MISSING_CHAR: 'Close the quote or bracket, or add the missing colon.',
  BAD_INDENT: 'Indent the lines of one mapping alike.',
  BAD_SCALAR_START: 'Put the value in quotes.',
  BAD_DQ_ESCAPE: 'Write the backslash twice, or use single quotes.',
  TAG_RESOLVE_FAILED: 'Remove the tag (the word that begins with `!`).',
  NON_STRING_KEY: 'Use a plain word as key.',
  BAD_ALIAS: 'Write the value out instead of using an alias.',
  UNEXPECTED_TOKEN: 'Put the value in quotes, or remove what does not belong there.',
  RESOURCE_EXHAUSTION: 'Flatten the file.',
};

function syntaxProblem({ message, code }: YAMLError, file: string, line: number): Problem {
  return {
    severity: 'error',
    file,
    line,
    message: `The YAML is not valid: ${firstLine(message)}.`,
    mend: YAML_MENDS[code] ?? 'Mend the YAML at this line.',
  };
}

function broken(problems: readonly Problem[], partial: Readonly<Record<string, unknown>> = {}): ReadDocument {
  return { document: undefined, problems, partial };
}

/** `<<` would bring in keys that nobody sees in the file, restrictions among them. */
const REFUSED_KEYS: RefusedKeys = new Map([
  ...PROTOTYPE_KEY,
  ['<<', { message: 'Merge keys (`<<`) are not supported.', mend: 'Write the merged keys out.' }],
]);

/** Finds where things are; each mapping that is on the way is gone through once, however often it is asked for. */
function createOffsetOf(document: Document): (path: ValuePath) => number {
  const known = new Map<YAMLMap, ReadonlyMap<string, { readonly key: Scalar; readonly value: unknown }>>();
  const pairsOf = (map: YAMLMap) => {
    const pairs =
      known.get(map) ??
      new Map(map.items.flatMap(({ key, value }) => (isScalar(key) ? [[String(key.value), { key, value }] as const] : [])));
    known.set(map, pairs);
    return pairs;
  };

  return (path) => {
    let node: unknown = document.contents;
    let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    for (const key of path) {
      if (isAlias(node)) node = node.resolve(document);
      if (isMap(node)) {
        const pair = pairsOf(node).get(String(key));
        if (pair === undefined) break;
        offset = pair.key.range?.[0] ?? offset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(key)];
        if (!isNode(node)) break;
        offset = node.range?.[0] ?? offset;
      } else break;
    }
    return offset;
  };
}

function textAsWritten(document: Document, textKeys: ReadonlySet<string>): Record<string, unknown> {
  const text: Record<string, unknown> = {};
  if (!isMap(document.contents)) return text;
  for (const { key, value } of document.contents.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!textKeys.has(name)) continue;
    if (isScalar(value)) text[name] = scalarText(value.value, value.source);
    else if (isSeq(value)) text[name] = value.items.map((item) => (isScalar(item) ? scalarText(item.value, item.source) : item));
  }
  return text;
}

function scalarText(value: unknown, source: string | undefined): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? (source ?? String(value)) : value;
}

function partialTopLevel(document: Document, textKeys: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(textAsWritten(document, textKeys)).filter(([, value]) => typeof value === 'string'));
}

function firstLine(text: string): string {
  return text.split('\n', 1).join('').replace(/\.$/, '');
}
