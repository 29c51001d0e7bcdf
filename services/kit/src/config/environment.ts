import type { ConfigProblem } from './config-error.ts';
import type { ConfigKey } from './keys.ts';
import { nearestName } from './nearest.ts';
import type { Origin } from './origin.ts';
import { isServiceLink } from './service-link.ts';
import { type ConfigNode, mergeNodes, nodeAtPath } from './tree.ts';
import { readYamlTree } from './yaml-tree.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'YUANBOT_';

/**
 * Variables with our prefix that are no configuration keys: where the data folder and the configuration file are,
 * which platform the command-line client calls, and what the tests hand to each other.
 */
const OTHER_VARIABLES = /^YUANBOT_(?:DATA|CONFIG|ADDRESS|MANAGER_ADDRESS|TEST_.+)$/;

export interface EnvironmentTree {
  /** Undefined when no variable sets a key. */
  readonly tree: ConfigNode | undefined;
  readonly problems: readonly ConfigProblem[];
}

/**
 * What the variables `YUANBOT_<KEY>` set, `__` between levels. The value of a key that takes text is the variable's
 * text; any other value is YAML (`10`, `true`, `{ hosts: 2 }`). A variable of a deeper key wins over one of its section.
 */
export function readEnvironment(env: Environment, keys: readonly ConfigKey[]): EnvironmentTree {
  const byVariable = new Map(keys.map((key) => [key.variable, key]));
  const problems: ConfigProblem[] = [];
  const found: { key: ConfigKey; node: ConfigNode }[] = [];

  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || !isOurs(variable, text)) continue;
    const key = byVariable.get(variable);
    const origin: Origin = { kind: 'variable', variable };
    if (key === undefined) {
      const nearest = nearestName(variable, [...byVariable.keys()]);
      problems.push({ origin, key: '', message: `unknown variable; the nearest known one is ${nearest}` });
    } else if (text.trim() === '') {
      problems.push({ origin, key: key.name, message: 'is empty; give it a value, or unset the variable' });
    } else {
      const read = readValue(text, key, origin);
      problems.push(...read.problems);
      if (read.tree !== undefined) found.push({ key, node: read.tree });
    }
  }

  found.sort((a, b) => a.key.path.length - b.key.path.length);
  const tree = found
    .map(({ key, node }) => nodeAtPath(key.path, node))
    .reduce<ConfigNode | undefined>((below, over) => (below === undefined ? over : mergeNodes(below, over)), undefined);
  return { tree, problems };
}

function isOurs(variable: string, text: string): boolean {
  return variable.startsWith(PREFIX) && !OTHER_VARIABLES.test(variable) && !isServiceLink(variable, text);
}

function readValue(text: string, key: ConfigKey, origin: Origin): EnvironmentTree {
  if (key.text) return { tree: { kind: 'value', origin, value: text }, problems: [] };
  const { tree, problems } = readYamlTree(text, () => origin);
  return { tree, problems: problems.map((problem) => ({ ...problem, key: key.name })) };
}
