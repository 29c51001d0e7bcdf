import { canonicalJson } from '@yuanbot/kit/canonical';
import { Ajv, type ErrorObject, type FuncKeywordDefinition, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import type { JsonObject } from '../registry/model.ts';

/** Checks a value against a tool's schema and fills in the schema's defaults, in place. Returns what is wrong. */
export type SchemaValidator = (value: Record<string, unknown>) => readonly ErrorObject[];

/** A tool's schema that cannot be used; the message says why, in one line. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/**
 * Patterns come from tool files and texts from models: RE2's linear time keeps one from hanging the service on the
 * other. Look-around and back-references are therefore refused when the schema is compiled.
 */
const linearRegExp = Object.assign(
  (pattern: string): RegExp => RE2JS.compile(RE2JS.translateRegExp(pattern)) as unknown as RegExp,
  {
    code: 'linearRegExp',
  },
);

const OPTIONS = {
  useDefaults: true,
  ownProperties: true,
  strict: false,
  addUsedSchema: false,
  // Written out at every place that refers to it, a large definition costs gigabytes and half a minute to compile.
  inlineRefs: false,
  logger: false,
  code: { regExp: linearRegExp },
} as const satisfies Options;

/** Ajv's own compares every pair of items; this one looks each up: linear, whatever the items are. */
const LINEAR_UNIQUE_ITEMS = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (unique: boolean, items: readonly unknown[]) => !unique || new Set(items.map(comparable)).size === items.length,
  error: { message: 'must NOT have duplicate items' },
} as const satisfies FuncKeywordDefinition;

/**
 * Values in a set of parameters up to which all its problems are looked for. Beyond it one problem is named: naming half a
 * million wrong items would keep everybody else waiting, and a model mends them the same way.
 */
const MAX_VALUES_FOR_ALL_PROBLEMS = 2_000;

/**
 * Compiles JSON Schemas, draft-07 and 2020-12 (the default), once per schema object. Nothing is fetched: a `$ref` to
 * somewhere else makes the schema unusable.
 */
export function createSchemaValidators(): (schema: JsonObject) => SchemaValidator {
  const firstProblem = openCompilers({ allErrors: false });
  const allProblems = openCompilers({ allErrors: true });
  const compiled = new WeakMap<JsonObject, SchemaValidator>();

  function createValidator(schema: JsonObject): SchemaValidator {
    const validateFast = firstProblem(schema);
    let validateAll: ValidateFunction | undefined;
    return (value) => {
      if (validateFast(value)) return [];
      if (isLargerThan(value, MAX_VALUES_FOR_ALL_PROBLEMS)) return validateFast.errors ?? [];
      validateAll ??= allProblems(schema);
      return validateAll(value) ? [] : (validateAll.errors ?? []);
    };
  }

  return (schema) => {
    let validator = compiled.get(schema);
    if (validator === undefined) {
      validator = createValidator(schema);
      compiled.set(schema, validator);
    }
    return validator;
  };
}

function openCompilers({ allErrors }: { allErrors: boolean }): (schema: JsonObject) => ValidateFunction {
  const draft07 = new Ajv({ ...OPTIONS, allErrors });
  const draft2020 = new Ajv2020({ ...OPTIONS, allErrors });
  for (const ajv of [draft07, draft2020]) {
    addFormats.default(ajv);
    ajv.removeKeyword(LINEAR_UNIQUE_ITEMS.keyword);
    ajv.addKeyword(LINEAR_UNIQUE_ITEMS);
  }
  return (schema) => {
    const ajv = String(schema['$schema'] ?? '').includes('draft-07') ? draft07 : draft2020;
    try {
      return ajv.compile(schema);
    } catch (error) {
      throw new SchemaError(`The parameter schema cannot be used: ${firstLine(error)}`, { cause: error });
    } finally {
      // Ajv keeps every schema it has seen; ours are kept by the registry, and only as long as they are used.
      ajv.removeSchema(schema);
    }
  };
}

function isLargerThan(value: unknown, limit: number): boolean {
  const open: unknown[] = [value];
  for (let seen = 0; open.length > 0; seen++) {
    if (seen > limit) return true;
    const next = open.pop();
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}

/** Equal exactly for values that JSON Schema calls equal. */
function comparable(item: unknown): string {
  try {
    return canonicalJson(item);
  } catch {
    // Ill-formed text is refused with a reason of its own, after validation.
    return JSON.stringify(item) ?? '';
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
