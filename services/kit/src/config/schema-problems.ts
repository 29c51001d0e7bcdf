import type * as z from 'zod';
import type { ConfigProblem } from './config-error.ts';
import type { ConfigKey } from './keys.ts';
import { nearestName } from './nearest.ts';
import { type ConfigNode, type KeyPath, nearestNode } from './tree.ts';

/** What the schema found, each with the place where it was written. */
export function schemaProblems(
  issues: readonly z.core.$ZodIssue[],
  tree: ConfigNode,
  keys: readonly ConfigKey[],
): readonly ConfigProblem[] {
  return issues.flatMap((issue): ConfigProblem[] => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys') return [problemAt(path, issue.message, tree)];
    return issue.keys.map((key) => {
      const unknown = [...path, key];
      return problemAt(unknown, `unknown key; the nearest known one is ${nearestKey(unknown, keys)}`, tree);
    });
  });
}

function problemAt(path: KeyPath, message: string, tree: ConfigNode): ConfigProblem {
  const { node, exact } = nearestNode(tree, path);
  return { origin: exact ? node.origin : { kind: 'default' }, key: path.join('.'), message };
}

/** A key of the very same name elsewhere (it was put in the wrong section), else the most similar one in its section. */
function nearestKey(unknown: KeyPath, keys: readonly ConfigKey[]): string | undefined {
  const word = unknown.at(-1) ?? '';
  const elsewhere = keys.filter(({ path }) => path.at(-1) === word);
  const section = keys.filter(({ path }) => startsWith(path, unknown.slice(0, -1)) && path.length === unknown.length);
  const nearest = nearestName(word, [...new Set(section.map(({ path }) => path.at(-1) ?? ''))]);
  return (elsewhere[0] ?? section.find(({ path }) => path.at(-1) === nearest))?.name;
}

function startsWith(path: KeyPath, prefix: KeyPath): boolean {
  return prefix.every((key, index) => path[index] === key);
}
