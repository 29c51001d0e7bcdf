import { addSorted, hasSorted, removeSorted } from './sorted-numbers.ts';

/**
 * A radix trie over capability domains (seed 003 §6.1). Its edges carry one or more whole names (`daily_chat`,
 * `weather/forecast`), so a prefix never ends inside a name. Entries are numbers: places in an ordered list of
 * capabilities.
 *
 * Every node keeps the sorted entries at and below it. A prefix query is therefore one walk down and no copying, at a
 * price of eight bytes for each level of an entry's domain.
 */
export interface DomainTrie {
  insert(domain: string, entry: number): void;
  /** What is not there is no error. */
  remove(domain: string, entry: number): void;
  /** Entries whose domain is `prefix` or below it, ascending, each once; valid until the next change. */
  below(prefix: string): readonly number[];
}

interface Node {
  /** Names on the edge that leads here; empty only at the root. */
  label: readonly string[];
  /** By first name of the child's label. */
  readonly children: Map<string, Node>;
  /** Entries of exactly this domain. */
  own: number[];
  /** Entries of this domain and all below it. */
  below: number[];
}

const NONE: readonly number[] = [];

export function createDomainTrie(): DomainTrie {
  const root: Node = { label: [], children: new Map(), own: [], below: [] };

  return {
    insert(domain, entry) {
      let node = root;
      let rest = domain.split('/');
      addSorted(node.below, entry);
      while (rest.length > 0) {
        const child = childFor(node, rest);
        addSorted(child.below, entry);
        rest = rest.slice(child.label.length);
        node = child;
      }
      addSorted(node.own, entry);
    },

    remove(domain, entry) {
      const path = pathTo(root, domain.split('/'));
      const last = path?.at(-1);
      if (path === undefined || last === undefined || !removeSorted(last.own, entry)) return;
      for (const [index, node] of [...path.entries()].reverse()) {
        if (!isHeld(node, entry)) removeSorted(node.below, entry);
        const parent = path[index - 1];
        if (parent !== undefined) tidy(parent, node);
      }
    },

    below(prefix) {
      let node = root;
      let rest = prefix.split('/');
      while (rest.length > 0) {
        const child = node.children.get(rest[0] ?? '');
        if (child === undefined) return NONE;
        const shared = sharedLength(child.label, rest);
        // The prefix may end inside an edge: everything at or below the edge's end is below the prefix.
        if (shared < child.label.length && shared < rest.length) return NONE;
        rest = rest.slice(shared);
        node = child;
      }
      return node.below;
    },
  };
}

/** The child on the way to `rest`, made or split off so that its whole label is on that way. */
function childFor(node: Node, rest: readonly string[]): Node {
  const first = rest[0] ?? '';
  const child = node.children.get(first);
  if (child === undefined) {
    const leaf: Node = { label: rest, children: new Map(), own: [], below: [] };
    node.children.set(first, leaf);
    return leaf;
  }
  const shared = sharedLength(child.label, rest);
  if (shared === child.label.length) return child;
  const upper: Node = { label: child.label.slice(0, shared), children: new Map(), own: [], below: [...child.below] };
  child.label = child.label.slice(shared);
  upper.children.set(child.label[0] ?? '', child);
  node.children.set(first, upper);
  return upper;
}

/** Nodes from the root to the one of exactly this domain; undefined when there is none. */
function pathTo(root: Node, domain: readonly string[]): Node[] | undefined {
  const path = [root];
  let rest = domain;
  let node = root;
  while (rest.length > 0) {
    const child = node.children.get(rest[0] ?? '');
    if (child === undefined || sharedLength(child.label, rest) < child.label.length) return undefined;
    rest = rest.slice(child.label.length);
    node = child;
    path.push(child);
  }
  return path;
}

function isHeld(node: Node, entry: number): boolean {
  return hasSorted(node.own, entry) || [...node.children.values()].some((child) => hasSorted(child.below, entry));
}

/** Keeps the trie a radix trie after a removal: no empty node, no node that has one child and no entry of its own. */
function tidy(parent: Node, node: Node): void {
  const key = node.label[0] ?? '';
  if (node.own.length > 0) return;
  const [only, second] = node.children.values();
  if (only === undefined) parent.children.delete(key);
  else if (second === undefined) {
    only.label = [...node.label, ...only.label];
    parent.children.set(key, only);
  }
}

function sharedLength(label: readonly string[], rest: readonly string[]): number {
  let length = 0;
  while (length < label.length && length < rest.length && label[length] === rest[length]) length++;
  return length;
}
