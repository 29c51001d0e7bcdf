import { type Document, isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import { showKey } from './document.ts';

export interface StructureFault {
  /** Offset in the text. */
  readonly offset: number;
  readonly message: string;
  readonly mend: string;
}

/** Uses of anchors in one file; nobody needs many, and each can multiply what stands behind it. */
export const MAX_ALIASES = 50;

/**
 * What the parser does not find, or takes too long to find: it compares every key with every other one, which a file of
 * nothing but keys turns into minutes.
 */
export function structureFault({ contents }: Document): StructureFault | undefined {
  const anchors = new Set<string>();
  let aliases = 0;

  function visit(node: unknown): StructureFault | undefined {
    if (!isNode(node)) return undefined;
    const offset = node.range?.[0] ?? 0;
    if (isAlias(node)) {
      if (++aliases > MAX_ALIASES) {
        return { offset, message: `The file uses more than ${MAX_ALIASES} aliases.`, mend: 'Write the values out.' };
      }
      if (anchors.has(node.source)) return undefined;
      return {
        offset,
        message: `There is no anchor \`&${showKey(node.source)}\` before this alias.`,
        mend: 'Write the value out.',
      };
    }
    if (node.anchor !== undefined) anchors.add(node.anchor);
    if (isSeq(node)) return firstFault(node.items, visit);
    if (!isMap(node)) return undefined;
    const keys = new Set<string>();
    return firstFault(node.items, ({ key, value }) => {
      if (!isScalar(key)) return undefined; // An error of its own (`stringKeys`).
      const name = String(key.value);
      if (keys.has(name)) {
        return {
          offset: key.range?.[0] ?? 0,
          message: `The key \`${showKey(name)}\` is there twice.`,
          mend: 'Keep one of the two lines.',
        };
      }
      keys.add(name);
      return visit(value);
    });
  }

  return visit(contents);
}

function firstFault<T>(items: readonly T[], visit: (item: T) => StructureFault | undefined): StructureFault | undefined {
  for (const item of items) {
    const fault = visit(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
