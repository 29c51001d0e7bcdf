import { isRecord, type ValuePath } from './document.ts';

/** A schema within a schema, and to what of a value it is applied. */
export interface Subschema {
  /** From the schema that it is in. */
  readonly path: ValuePath;
  readonly schema: unknown;
  readonly applies: Application;
}

/** `here`: to the very value, else to the values in it: the one of a name or place, or all but those that have their own. */
export type Application =
  | { readonly to: 'here' }
  | { readonly to: 'properties' | 'items'; readonly name: string }
  | { readonly to: 'properties' | 'items'; readonly except: ReadonlySet<string> };

const HERE: Application = { to: 'here' };
const NONE: ReadonlySet<string> = new Set();

/** The schemas that are applied when `schema` is, except through `$ref`; of draft-07 and of 2020-12. */
export function subschemas(schema: Readonly<Record<string, unknown>>): readonly Subschema[] {
  const found: Subschema[] = [];
  const one = (keyword: string, applies: Application): void => {
    const value = schema[keyword];
    if (isSchema(value)) found.push({ path: [keyword], schema: value, applies });
  };
  const each = (keyword: string, applies: (key: string) => Application): void => {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      const path = [keyword, Array.isArray(value) ? Number(key) : key];
      if (isSchema(child)) found.push({ path, schema: child, applies: applies(key) });
    }
  };

  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies']) each(keyword, () => HERE);
  for (const keyword of ['not', 'if', 'then', 'else']) one(keyword, HERE);

  each('properties', (name) => ({ to: 'properties', name }));
  each('patternProperties', () => ({ to: 'properties', except: NONE }));
  one('additionalProperties', { to: 'properties', except: namesIn(schema['properties']) });
  one('unevaluatedProperties', { to: 'properties', except: NONE });
  one('propertyNames', { to: 'properties', except: NONE });

  each('prefixItems', (name) => ({ to: 'items', name }));
  // A list of schemas, one for each place, is draft-07's.
  if (Array.isArray(schema['items'])) each('items', (name) => ({ to: 'items', name }));
  else one('items', { to: 'items', except: namesIn(schema['prefixItems']) });
  one('additionalItems', { to: 'items', except: namesIn(schema['items']) });
  one('unevaluatedItems', { to: 'items', except: NONE });
  one('contains', { to: 'items', except: NONE });
  return found;
}

/** `true` and `false` are schemas too, but take no checking. */
function isSchema(value: unknown): boolean {
  return isRecord(value);
}

/** Those with a schema that takes checking: where `true` stands, it makes no difference what else is applied. */
function namesIn(container: unknown): ReadonlySet<string> {
  if (typeof container !== 'object' || container === null) return NONE;
  return new Set(Object.entries(container).flatMap(([name, schema]) => (isSchema(schema) ? [name] : [])));
}
