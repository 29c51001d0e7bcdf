import type { ValuePath } from './document.ts';

/** Where everything is in a text that is known to be valid JSON. */
export interface JsonMap {
  /** 1-based line of the key or item at `path`, or of the nearest thing above it that is there. */
  lineOf(path: ValuePath): number;
  /** Keys that an object has twice, the later of the two. */
  readonly repeatedKeys: readonly { readonly path: ValuePath; readonly line: number }[];
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\n/gsu;

/** Nesting below which everything counts as its parent: paths of a hostile text must not grow with its depth. */
const MAX_DEPTH = 64;

interface Container {
  readonly isArray: boolean;
  readonly path: ValuePath;
  /** Keys seen; in an array, nothing. */
  readonly keys: Set<string>;
  index: number;
  key: string | undefined;
}

/** JSON.parse says neither where a key was nor that it was there twice; this does, in one pass. */
export function createJsonMap(text: string): JsonMap {
  const noted: { path: ValuePath; line: number }[] = [];
  const repeatedKeys: { path: ValuePath; line: number }[] = [];
  const open: Container[] = [];
  let line = 1;

  const pathHere = (): ValuePath => {
    const container = open.at(-1);
    if (container === undefined) return [];
    if (open.length > MAX_DEPTH) return container.path;
    return [...container.path, container.isArray ? container.index : (container.key ?? '')];
  };
  const note = (path: ValuePath): void => {
    noted.push({ path, line });
  };

  for (const [token] of text.matchAll(TOKEN)) {
    const container = open.at(-1);
    if (token === '\n') line++;
    else if (token === ':') continue;
    else if (token === ',') {
      if (container !== undefined) {
        container.index++;
        container.key = undefined;
      }
    } else if (token === '}' || token === ']') open.pop();
    else if (container !== undefined && !container.isArray && container.key === undefined) {
      container.key = String(JSON.parse(token));
      const path = pathHere();
      if (container.keys.has(container.key)) repeatedKeys.push({ path, line });
      container.keys.add(container.key);
      note(path);
    } else {
      const path = pathHere();
      if (container === undefined || container.isArray) note(path);
      if (token === '{' || token === '[') open.push({ isArray: token === '[', path, keys: new Set(), index: 0, key: undefined });
    }
  }

  let lines: Map<string, number> | undefined;
  return {
    repeatedKeys,
    lineOf(path) {
      lines ??= new Map(noted.map((place) => [JSON.stringify(place.path), place.line]));
      for (let length = path.length; length >= 0; length--) {
        const found = lines.get(JSON.stringify(path.slice(0, length)));
        if (found !== undefined) return found;
      }
      return 1;
    },
  };
}
