import { type Config, deepFreeze } from './config.ts';
import { ConfigError } from './config-error.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { findExposures } from './exposure.ts';
import { listKeys } from './keys.ts';
import { botSchema } from './schema/bot.ts';
import type { Surroundings } from './schema/surroundings.ts';
import { schemaProblems } from './schema-problems.ts';
import { type ConfigNode, mergeNodes, plainValue } from './tree.ts';
import { readYamlTree } from './yaml-tree.ts';

export interface ConfigInput extends Surroundings {
  /** The file's content; empty for defaults alone. */
  readonly text: string;
  /** The name that messages give the file. */
  readonly file: string;
  readonly env: Environment;
}

/**
 * The configuration in `text` under what the environment overrides. Every key has a default; an unknown key or
 * variable, or a value that is not allowed, is an error. Throws one `ConfigError` with every problem there is.
 */
export function parseConfig(input: ConfigInput): Config {
  const { text, file, env } = input;
  const schema = botSchema(input);
  const keys = listKeys(schema);

  const written = readYamlTree(text, (line) => ({ kind: 'file', file, line }));
  const overrides = readEnvironment(env, keys);
  const nothing: ConfigNode = { kind: 'mapping', origin: { kind: 'file', file, line: 1 }, entries: new Map() };
  const base = written.tree === undefined ? nothing : withoutNull(written.tree, nothing);
  const tree = overrides.tree === undefined ? base : mergeNodes(base, overrides.tree);

  const sections = new Set(keys.filter(({ section }) => section).map(({ name }) => name));
  const result = schema.safeParse(plainValue(tree, (name) => sections.has(name)));
  const problems = [
    ...written.problems,
    ...overrides.problems,
    ...(result.success ? [] : schemaProblems(result.error.issues, tree, keys)),
    ...findExposures(tree, keys),
  ];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(result.data);
}

/** A file of nothing but comments says nothing. */
function withoutNull(node: ConfigNode, nothing: ConfigNode): ConfigNode {
  return node.kind === 'value' && node.value === null ? nothing : node;
}
