import * as z from 'zod';
import type { KeyPath } from './tree.ts';

/** One key of the configuration, as its schema declares it. */
export interface ConfigKey {
  readonly path: KeyPath;
  /** Dotted path, e.g. `capabilities.sandbox.default_type`. */
  readonly name: string;
  /** The environment variable that overrides it. */
  readonly variable: string;
  /** Whether it holds further keys. */
  readonly section: boolean;
  /** Whether its value is text and nothing else, so that a variable's text is the value as it stands. */
  readonly text: boolean;
  /** Whether a server listens on it. */
  readonly listens: boolean;
  /** As it would be written in the file; undefined for a section. */
  readonly default: unknown;
  readonly meaning: string;
}

/** What of JSON Schema the configuration's schemas produce. */
const SCHEMA_NODE = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().prefault(''),
  default: z.unknown().optional(),
  listens: z.boolean().prefault(false),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** Every key that `schema` knows, sections before what they hold, in the order they are declared. */
export function listKeys(schema: z.ZodType): readonly ConfigKey[] {
  return keysBelow(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), []);
}

function keysBelow(jsonSchema: unknown, path: KeyPath): ConfigKey[] {
  const { properties = {} } = SCHEMA_NODE.parse(jsonSchema);
  return Object.entries(properties).flatMap(([key, below]) => {
    const here = [...path, key];
    return [toKey(here, below), ...keysBelow(below, here)];
  });
}

function toKey(path: KeyPath, jsonSchema: unknown): ConfigKey {
  const node = SCHEMA_NODE.parse(jsonSchema);
  const section = node.properties !== undefined;
  return {
    path,
    name: path.join('.'),
    variable: `YUANBOT_${path.join('__').toUpperCase()}`,
    section,
    text: node.type === 'string',
    listens: node.listens,
    default: section ? undefined : node.default,
    meaning: node.description,
  };
}
