import { isRecord, type ValuePath, valueAt } from './document.ts';
import type { JsonObject } from './model.ts';
import { type Application, type Subschema, subschemas } from './schema-applicators.ts';

export interface SchemaFault {
  /** Within the schema. */
  readonly path: ValuePath;
  readonly message: string;
  readonly mend: string;
}

/**
 * Schemas that may be applied along one way down into a value, from the outermost object to one innermost value, each as
 * often as it is applied. Schemas written by hand stay below some hundred; ten thousand take half a millisecond.
 */
const MAX_APPLIED = 10_000;
/** Schemas at all places of the whole one together, each `$ref` written out, so that finding out does not take long itself. */
const MAX_EXPANDED = 50_000;
/** Schemas applied to one value from within one another, each of which is a level of the validator's stack. */
const MAX_WITHIN = 100;
/** Levels of a tool's parameters; deeper ones are refused before they are validated. */
const MAX_LEVELS = 64;

const TOO_MUCH: Omit<SchemaFault, 'path'> = {
  message: `The parameter schema could apply more than ${MAX_APPLIED} schemas to one value.`,
  mend: 'Use fewer `allOf`, `anyOf`, `oneOf` and `$ref` that lead to the same schemas; let a recursive schema refer to itself in one place for each property.',
};

const TOO_LARGE: Omit<SchemaFault, 'path'> = {
  message: `Written out, the parameter schema holds more than ${MAX_EXPANDED} schemas.`,
  mend: 'Use fewer `$ref` that lead to large definitions.',
};
const CIRCLE: Omit<SchemaFault, 'path'> = {
  message: 'A `$ref` leads back to where it is without going into a property or an item.',
  mend: 'Remove it, or move it into `properties` or `items`.',
};
const TOO_MANY_WITHIN: Omit<SchemaFault, 'path'> = {
  message: `More than ${MAX_WITHIN} schemas are applied to one value from within one another.`,
  mend: 'Let each `$ref` lead to what is meant rather than to another `$ref`.',
};

/**
 * Why validating parameters by this schema could take for ever, and undefined when it cannot. A small schema can be
 * dear: where each of thirty definitions refers to the next one twice, a single value is checked a billion times.
 *
 * `$ref` must point into the schema itself, and may lead back to where it is only from within a property or an item,
 * so that recursion ends when the value does.
 */
export function schemaFault(root: JsonObject): SchemaFault | undefined {
  const places = new Map<unknown, Place>();
  const open: { schema: unknown; path: ValuePath }[] = [{ schema: root, path: [] }];
  const expand = createExpand(root);
  let expanded = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (places.has(next.schema)) continue;
    const place = expand(next.schema, next.path, MAX_EXPANDED - expanded);
    if ('message' in place) return place;
    expanded += place.applied + place.children.length;
    places.set(next.schema, place);
    for (const child of place.children) open.push(child);
  }
  return appliedAlongOneWay(root, places) > MAX_APPLIED ? { path: [], ...TOO_MUCH } : undefined;
}

/** What is applied to a value where one schema is, and what to the values in it. */
interface Place {
  readonly applied: number;
  readonly children: readonly { readonly schema: unknown; readonly path: ValuePath }[];
  /** A value has one or the other. */
  readonly properties: Applied;
  readonly items: Applied;
}

interface Applied {
  readonly named: Map<string, unknown[]>;
  readonly others: { readonly schema: unknown; readonly except: ReadonlySet<string> }[];
}

type Expand = (schema: unknown, path: ValuePath, budget: number) => Place | SchemaFault;

function createExpand(root: JsonObject): Expand {
  const known = new WeakMap<object, readonly Subschema[]>();
  const subschemasOf = (schema: Readonly<Record<string, unknown>>): readonly Subschema[] => {
    const found = known.get(schema) ?? subschemas(schema);
    known.set(schema, found);
    return found;
  };

  return (outermost, outermostPath, budget) => {
    const children: Place['children'][number][] = [];
    const properties: Applied = { named: new Map(), others: [] };
    const items: Applied = { named: new Map(), others: [] };
    /** Those whose own subschemas are being applied. */
    const within = new Set<unknown>();
    let applied = 0;

    const noteChild = (schema: unknown, path: ValuePath, applies: Exclude<Application, { to: 'here' }>): void => {
      children.push({ schema, path });
      const { named, others } = applies.to === 'properties' ? properties : items;
      if ('except' in applies) {
        others.push({ schema, except: applies.except });
        return;
      }
      const same = named.get(applies.name);
      if (same === undefined) named.set(applies.name, [schema]);
      else same.push(schema);
    };
    const apply = (schema: unknown, path: ValuePath): SchemaFault | undefined => {
      if (++applied > MAX_APPLIED) return { path, ...TOO_MUCH };
      if (applied + children.length > budget) return { path, ...TOO_LARGE };
      if (!isRecord(schema)) return undefined;
      if (within.has(schema)) return { path, ...CIRCLE };
      if (within.size >= MAX_WITHIN) return { path, ...TOO_MANY_WITHIN };
      within.add(schema);
      for (const { schema: child, path: below, applies } of subschemasOf(schema)) {
        const childPath = [...path, ...below];
        const fault = applies.to === 'here' ? apply(child, childPath) : noteChild(child, childPath, applies);
        if (fault !== undefined) return fault;
      }
      const referred = reference(root, schema, path);
      if (referred !== undefined && 'message' in referred) return referred;
      const fault = referred && apply(referred.schema, referred.path);
      within.delete(schema);
      return fault;
    };

    return apply(outermost, outermostPath) ?? { applied, children, properties, items };
  };
}

const MEND_REFERENCE = 'Write `"$ref": "#/$defs/<name>"`, with the definition below `$defs` of the same parameters.';

/** References by names that only a whole implementation of the standard could find. */
const NAMED_REFERENCES = ['$dynamicRef', '$recursiveRef'] as const;

/** What a schema's `$ref` leads to; undefined when it has none. */
function reference(
  root: JsonObject,
  schema: Readonly<Record<string, unknown>>,
  path: ValuePath,
): { readonly schema: unknown; readonly path: ValuePath } | SchemaFault | undefined {
  const fault = (keyword: string, message: string): SchemaFault => ({ path: [...path, keyword], message, mend: MEND_REFERENCE });
  const named = NAMED_REFERENCES.find((keyword) => keyword in schema);
  if (named !== undefined) return fault(named, `\`${named}\` is not supported.`);
  // Within it, `#` would stand for it, and no longer for the whole.
  if (path.length > 0 && '$id' in schema) return fault('$id', 'An `$id` within the parameters is not supported.');
  if (!('$ref' in schema)) return undefined;
  const target = targetOf(schema['$ref']);
  if (target === undefined) return fault('$ref', 'A `$ref` must point into the parameters themselves.');
  const found = valueAt(root, target);
  return found === undefined ? fault('$ref', 'A `$ref` points to where nothing is.') : { schema: found, path: target };
}

/** Of a JSON pointer in a fragment (RFC 6901 §6). */
function targetOf(reference: unknown): ValuePath | undefined {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined;
  try {
    const keys = decodeURIComponent(reference.slice(1)).split('/').slice(1);
    return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined; // An ill-formed escape.
  }
}

/** With one more level of the value each time round, until that changes nothing. */
function appliedAlongOneWay(root: JsonObject, places: ReadonlyMap<unknown, Place>): number {
  let applied = new Map([...places].map(([schema, place]) => [schema, place.applied]));
  for (let level = 1; level < MAX_LEVELS && (applied.get(root) ?? 0) <= MAX_APPLIED; level++) {
    const below = applied;
    applied = new Map(
      [...places].map(([schema, place]) => [schema, Math.min(place.applied + dearestValueIn(place, below), MAX_APPLIED + 1)]),
    );
    if ([...applied].every(([schema, count]) => count === below.get(schema))) break;
  }
  return applied.get(root) ?? 0;
}

function dearestValueIn({ properties, items }: Place, applied: ReadonlyMap<unknown, number>): number {
  return Math.max(dearest(properties, applied), dearest(items, applied));
}

function dearest({ named, others }: Applied, applied: ReadonlyMap<unknown, number>): number {
  const costOf = (schema: unknown): number => applied.get(schema) ?? 0;
  const ofOthers = others.reduce((sum, { schema }) => sum + costOf(schema), 0);
  const spared = new Map<string, number>();
  for (const { schema, except } of others) {
    for (const name of except) spared.set(name, (spared.get(name) ?? 0) + costOf(schema));
  }
  let most = ofOthers;
  for (const [name, schemas] of named) {
    const own = schemas.reduce<number>((sum, schema) => sum + costOf(schema), 0);
    most = Math.max(most, own + ofOthers - (spared.get(name) ?? 0));
  }
  return most;
}
