import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit, type YAMLError } from 'yaml';
import type { ConfigProblem } from './config-error.ts';
import type { Origin } from './origin.ts';
import type { ConfigNode } from './tree.ts';

/** A configuration has some sixty keys; a file of this many characters is not one. */
const MAX_YAML_CHARACTERS = 1_048_576;

export interface YamlTree {
  /** Undefined when there are problems. */
  readonly tree: ConfigNode | undefined;
  readonly problems: readonly ConfigProblem[];
}

/** Where the text at an offset is. */
type Place = (offset: number | undefined) => Origin;

/**
 * Reads one YAML 1.2 document (core schema) into a tree. `originAt` turns a line of the text (1-based, 0 for the whole)
 * into the place shown to the operator. Tags, anchors and aliases are refused: a setting is written where it counts.
 */
export function readYamlTree(text: string, originAt: (line: number) => Origin): YamlTree {
  if (text.length > MAX_YAML_CHARACTERS) {
    const message = `is larger than ${MAX_YAML_CHARACTERS} characters; it cannot be a configuration`;
    return { tree: undefined, problems: [{ origin: originAt(0), key: '', message }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: true,
    logLevel: 'error',
  });
  const place: Place = (offset = 0) => originAt(Math.max(1, lines.linePos(offset).line));

  const errors = [...document.errors, ...document.warnings];
  const problems =
    errors.length > 0
      ? errors.map((error) => ({ origin: place(error.pos[0]), key: '', message: explain(error) }))
      : refusedFeatures(document, place);
  const { contents } = document;
  return { tree: problems.length > 0 ? undefined : toTree(contents, place(contents?.range?.[0]), place), problems };
}

function explain({ code, message }: YAMLError): string {
  if (code === 'RESOURCE_EXHAUSTION') return 'is nested too deeply to be a configuration';
  return `is not valid YAML: ${message.split('\n', 1)[0]}`;
}

function refusedFeatures(document: Document, place: Place): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const refuse = (node: Node, message: string): void => {
    problems.push({ origin: place(node.range?.[0]), key: '', message });
  };
  visit(document, {
    Alias: (_key, node) => refuse(node, `the alias *${node.source} is not allowed here; write the value out`),
    Node: (_key, node) => {
      if ('anchor' in node && node.anchor) {
        refuse(node, `the anchor &${node.anchor} is not allowed here; write the value where it counts`);
      }
    },
  });
  return problems;
}

function toTree(node: unknown, origin: Origin, place: Place): ConfigNode {
  if (isMap(node)) {
    const entries = node.items.flatMap(({ key, value }): [string, ConfigNode][] =>
      isScalar(key) ? [[String(key.value), toTree(value, place(key.range?.[0]), place)]] : [],
    );
    return { kind: 'mapping', origin, entries: new Map(entries) };
  }
  if (isSeq(node)) return { kind: 'value', origin, value: node.toJSON() };
  return { kind: 'value', origin, value: isScalar(node) ? node.value : null };
}
