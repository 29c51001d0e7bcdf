import type { Origin } from './origin.ts';

/** Configuration as written, each part with the place it was written at. */
export type ConfigNode = ConfigMapping | ConfigValue;

export interface ConfigMapping {
  readonly kind: 'mapping';
  readonly origin: Origin;
  readonly entries: ReadonlyMap<string, ConfigNode>;
}

export interface ConfigValue {
  readonly kind: 'value';
  readonly origin: Origin;
  /** A scalar, or a list in plain form. */
  readonly value: unknown;
}

export type KeyPath = readonly string[];

/**
 * `over` on top of `base`: mappings are merged key by key, a value is replaced. Only where `base` has a value and `over`
 * a mapping does `base` stay: that value is wrong there, and is to be told rather than hidden.
 */
export function mergeNodes(base: ConfigNode, over: ConfigNode): ConfigNode {
  if (over.kind !== 'mapping') return over;
  if (base.kind !== 'mapping') return base.value === null ? over : base;
  const entries = new Map(base.entries);
  for (const [key, node] of over.entries) {
    const below = entries.get(key);
    entries.set(key, below === undefined ? node : mergeNodes(below, node));
  }
  return { kind: 'mapping', origin: base.origin, entries };
}

/** A tree that holds `node` at `path` and nothing else. */
export function nodeAtPath(path: KeyPath, node: ConfigNode): ConfigNode {
  return path.reduceRight<ConfigNode>(
    (inner, key) => ({ kind: 'mapping', origin: node.origin, entries: new Map([[key, inner]]) }),
    node,
  );
}

/** The node at `path`, or the nearest one above it that was written. */
export function nearestNode(tree: ConfigNode, path: KeyPath): { node: ConfigNode; exact: boolean } {
  let node = tree;
  for (const key of path) {
    const next = node.kind === 'mapping' ? node.entries.get(key) : undefined;
    if (next === undefined) return { node, exact: false };
    node = next;
  }
  return { node, exact: true };
}

/**
 * Plain values. A section that says nothing (`log:` with every key below it commented out) is an empty one. Mappings
 * have no prototype, so that a key such as `__proto__` is only a key.
 */
export function plainValue(node: ConfigNode, isSection: (name: string) => boolean, name = ''): unknown {
  if (node.kind === 'value') return node.value === null && isSection(name) ? {} : node.value;
  const plain = Object.create(null);
  for (const [key, child] of node.entries) {
    plain[key] = plainValue(child, isSection, name === '' ? key : `${name}.${key}`);
  }
  return plain;
}
