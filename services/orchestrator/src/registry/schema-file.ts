import { sha256Digest } from '@yuanbot/kit/canonical';
import * as z from 'zod';
import { type PluginDocument, valueAt } from './document.ts';
import { readJson } from './json-document.ts';
import type { JsonObject, Problem } from './model.ts';
import { fileProblem, type PluginFiles } from './plugin-files.ts';
import { type SchemaFault, schemaFault } from './schema-cost.ts';
import { createKeyTable, readShape } from './shape.ts';

/** A tool's parameters, in bytes: a definition this long would fill a model's context by itself. */
const MAX_SCHEMA_BYTES = 128 * 1024;

/** What OpenAI accepts as a function's name; the model calls the tool by it. */
const CALL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_DESCRIPTION = 16_384;

/** What a `.schema.json` says of a tool (seed 003 §5.1, the OpenAI function format). */
export interface ToolSchema {
  readonly callName: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** `{type:"function",function:{…}}` as JSON text, ready for a model. */
  readonly definitionJson: string;
  /** Of the file's text. */
  readonly digest: string;
}

const functionSchema = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(CALL_NAME),
    description: z.string().max(MAX_DESCRIPTION).default(''),
    parameters: z.looseObject({ type: z.literal('object') }).optional(),
    strict: z.boolean().optional(),
  }),
});

const KEYS = createKeyTable([
  ['type', { mend: 'Write `"type": "function"`.' }],
  ['function', { mend: 'Write `"function": {"name": …, "description": …, "parameters": {"type": "object", …}}`.' }],
  ['function.name', { mend: 'Write a name of letters, digits, `_` and `-`, at most 64 characters.' }],
  ['function.description', { mend: `Write what the tool does, for the model, in at most ${MAX_DESCRIPTION} characters.` }],
  ['function.parameters', { mend: 'Write a JSON Schema of an object: `{"type": "object", "properties": {…}}`.' }],
  ['function.strict', { mend: 'Write `true` or `false`.' }],
]);

/** A tool without parameters takes an empty object. */
const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** Reads a tool's schema file; `schema` is undefined exactly when a problem of severity `error` says why. */
export async function readSchemaFile(
  files: PluginFiles,
  path: string,
): Promise<{ readonly schema: ToolSchema | undefined; readonly problems: readonly Problem[] }> {
  let text: string | undefined;
  try {
    text = await files.readText(path, MAX_SCHEMA_BYTES);
  } catch (error) {
    return { schema: undefined, problems: [fileProblem(error, path)] };
  }
  if (text === undefined) {
    const mend = 'Add the file, or name the right one as `schema_file`.';
    return {
      schema: undefined,
      problems: [{ severity: 'error', file: path, line: 0, message: 'The schema file is not there.', mend }],
    };
  }
  const read = readJson(text, path);
  if (read.document === undefined) return { schema: undefined, problems: read.problems };
  const { document } = read;
  const other = otherFormat(document);
  if (other !== undefined) return { schema: undefined, problems: [other] };
  const { value, problems } = readShape(document, functionSchema, KEYS);
  if (value === undefined) return { schema: undefined, problems };
  const { name, description, strict } = value.function;
  const parameters = (valueAt(document.value, ['function', 'parameters']) ?? NO_PARAMETERS) as JsonObject;
  const fault = schemaFault(parameters);
  if (fault !== undefined) return { schema: undefined, problems: [...problems, parameterProblem(document, fault)] };
  const definition = {
    type: 'function',
    function: { name, description, parameters, ...(strict === undefined ? {} : { strict }) },
  };
  return {
    schema: { callName: name, description, parameters, definitionJson: JSON.stringify(definition), digest: sha256Digest(text) },
    problems: description.trim() === '' ? [...problems, noDescription(document)] : problems,
  };
}

/** What people write instead of the function format, each with the way from there. */
function otherFormat({ file, value, lineOf }: PluginDocument): Problem | undefined {
  if ('function' in value) return undefined;
  const problem = { severity: 'error', file, line: lineOf([]) } as const;
  if (value['type'] === 'function') {
    const message = 'The function’s fields are at the top level.';
    return {
      ...problem,
      message,
      mend: 'Put name, description and parameters into a key `function`: `{"type": "function", "function": {"name": …}}`.',
    };
  }
  if (value['type'] === 'object' || 'properties' in value || '$schema' in value) {
    const message = 'The file is a bare JSON Schema; a name and a description for the model are missing.';
    return {
      ...problem,
      message,
      mend: 'Wrap it: `{"type": "function", "function": {"name": "…", "description": "…", "parameters": <this schema>}}`.',
    };
  }
  return undefined;
}

function parameterProblem({ file, lineOf }: PluginDocument, { path, message, mend }: SchemaFault): Problem {
  return { severity: 'error', file, line: lineOf(['function', 'parameters', ...path]), message, mend };
}

function noDescription({ file, lineOf }: PluginDocument): Problem {
  return {
    severity: 'warning',
    file,
    line: lineOf(['function', 'description']),
    message: 'The tool has no description; a model cannot know when to use it.',
    mend: 'Write `"description": "…"` in one or two sentences.',
  };
}
