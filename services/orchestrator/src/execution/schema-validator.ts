import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
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
  allErrors: true,
  useDefaults: true,
  ownProperties: true,
  strict: false,
  addUsedSchema: false,
  logger: false,
  code: { regExp: linearRegExp },
} as const satisfies Options;

/**
 * Compiles JSON Schemas, draft-07 and 2020-12 (the default), once per schema object. Nothing is fetched: a `$ref` to
 * somewhere else makes the schema unusable.
 */
export function createSchemaValidators(): (schema: JsonObject) => SchemaValidator {
  const draft07 = new Ajv(OPTIONS);
  const draft2020 = new Ajv2020(OPTIONS);
  for (const ajv of [draft07, draft2020]) addFormats.default(ajv);
  const compiled = new WeakMap<JsonObject, SchemaValidator>();

  function compile(schema: JsonObject): SchemaValidator {
    const ajv = String(schema['$schema'] ?? '').includes('draft-07') ? draft07 : draft2020;
    let validate: ValidateFunction;
    try {
      validate = ajv.compile(schema);
    } catch (error) {
      throw new SchemaError(`The parameter schema cannot be used: ${firstLine(error)}`, { cause: error });
    } finally {
      // Ajv keeps every schema it has seen; ours are kept by the registry, and only as long as they are used.
      ajv.removeSchema(schema);
    }
    return (value) => (validate(value) ? [] : (validate.errors ?? []));
  }

  return (schema) => {
    let validator = compiled.get(schema);
    if (validator === undefined) {
      validator = compile(schema);
      compiled.set(schema, validator);
    }
    return validator;
  };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
