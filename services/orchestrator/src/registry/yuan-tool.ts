import { type Limits, PERMISSION_LEVELS } from '@yuanbot/contract';
import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import * as z from 'zod';
import { brokenPlugin } from './broken-plugin.ts';
import { buildExecutors } from './executor.ts';
import { EXECUTOR_KEYS, type ExecutorFields, executorSchema, netScope } from './executor-fields.ts';
import { brokenRules, CONFIRM_OF_LEVEL } from './executor-rules.ts';
import {
  COMMON_KEYS,
  COMMON_TEXT_KEYS,
  commonFields,
  commonPart,
  DOMAIN_MISSING,
  hasDomain,
  ID,
  relativePath,
} from './fields.ts';
import { hasError, type PluginPlace, type ReadPlugin } from './loaded-plugin.ts';
import type { Problem, Tool } from './model.ts';
import { fileProblem } from './plugin-files.ts';
import { readResources } from './resources.ts';
import { readSchemaFile } from './schema-file.ts';
import { createKeyTable } from './shape.ts';
import { countTokens } from './token-count.ts';
import type { ToolDefaults } from './tool-defaults.ts';
import { readYamlFile, type YamlFormat } from './yaml-file.ts';

const toolSchema = z
  .object({
    tool_id: z.string().regex(ID),
    ...commonFields,
    permission_level: z.enum(PERMISSION_LEVELS),
    confirm: z.enum(['never', 'first_use', 'always', 'each_step']).optional(),
    schema_file: relativePath.optional(),
    executor: executorSchema,
  })
  .refine(hasDomain, DOMAIN_MISSING);

const FORMAT: YamlFormat<z.infer<typeof toolSchema>> = {
  schema: toolSchema,
  keys: createKeyTable([
    ['tool_id', { mend: 'Write e.g. `tool_id: get_weather`: letters, digits, `_`, `-` and `.`, at most 128.' }],
    ...COMMON_KEYS,
    ['permission_level', { mend: 'Write `permission_level: readonly`, `user_data` or `system`.', restricts: true }],
    ['confirm', { mend: 'Write `confirm: never`, `first_use`, `always` or `each_step`, or leave it out.', restricts: true }],
    [
      'schema_file',
      { mend: 'Name the tool’s `.schema.json` file, e.g. `schema_file: get_weather.schema.json`, a path without `..`.' },
    ],
    ...EXECUTOR_KEYS,
  ]),
  textKeys: new Set(['tool_id', ...COMMON_TEXT_KEYS]),
  // The longest in use has two kilobytes.
  maxBytes: 64 * 1024,
  mendMissing: 'Save the tool’s file again.',
};

/**
 * Reads a tool in the Yuan format (seed 003 §5.1, DESIGN §3 "A tool's file"). Never rejects for what is in the files: a
 * broken tool comes as one that is not callable, with its problems.
 */
export async function readYuanTool(place: PluginPlace, defaults: ToolDefaults): Promise<ReadPlugin> {
  const read = await readYamlFile(place.files, place.file, FORMAT);
  if (read.value === undefined) return brokenPlugin(place, { problems: read.problems, written: read.partial });
  const { value: fields, document } = read;
  const idLine = document.lineOf(['tool_id']);
  const { executor, permission_level: permissionLevel } = fields;
  const type = executor.type ?? defaults.sandboxKind;

  const rules = brokenRules({ permissionLevel, confirm: fields.confirm, type, executor, hasOwnFolder: place.hasOwnFolder });
  const ruleProblems = rules.map(({ path, ...rule }): Problem => ({ ...rule, file: place.file, line: document.lineOf(path) }));
  const schemaPath = `${place.folder}/${fields.schema_file ?? `${place.stem}.schema.json`}`;
  const { schema, problems: schemaProblems } = await readSchemaFile(place.files, schemaPath);
  const { resources, artifacts, problems: resourceProblems } = await readResources(place);
  const problems = [...read.problems, ...ruleProblems, ...schemaProblems, ...resourceProblems];
  const common = { ...commonPart(fields, place), description: schema?.description ?? '' };
  const broken = (found: readonly Problem[]) =>
    brokenPlugin(place, { problems: found, written: document.value, known: { ...common, permissionLevel }, idLine });
  if (schema === undefined || hasError(problems)) return broken(problems);

  const built = await buildExecutors(executor, { place, type, readable: executor.fs === 'read' ? resources : [] }).catch(
    (error: unknown) => {
      const line = document.lineOf(['executor', executor.build === undefined ? 'entry' : 'build']);
      return { failed: { ...fileProblem(error, place.file), line } };
    },
  );
  if ('failed' in built) return broken([...problems, built.failed]);

  const limits = limitsOf(executor, defaults.limits);
  const defining = [
    read.digest,
    schema.digest,
    built.executor.digest,
    built.fallback?.digest ?? '',
    resources.map(({ path, digest }) => [path, digest]),
    { ...limits },
  ];
  const capability: Tool = {
    ...common,
    kind: 'tool',
    id: fields.tool_id,
    digest: sha256Digest(canonicalJson(defining)),
    tokenCost: countTokens(schema.definitionJson),
    problems,
    callable: fields.enabled,
    resources,
    callName: schema.callName,
    permissionLevel,
    confirm: fields.confirm ?? CONFIRM_OF_LEVEL[permissionLevel],
    parameters: schema.parameters,
    definitionJson: schema.definitionJson,
    executor: built.executor,
    fallback: built.fallback,
    limits,
    scope: {
      fs: executor.fs,
      net: netScope(executor.net),
      db: [...new Set(executor.db)].sort(),
      secrets: built.executor.descriptor.env,
    },
  };
  return { capability, idIsGuess: false, idLine, artifacts: [...built.artifacts, ...artifacts] };
}

function limitsOf({ timeout, resources }: ExecutorFields, defaults: Limits): Limits {
  return {
    timeoutMs: timeout ?? defaults.timeoutMs,
    memoryMb: resources.memory_mb ?? defaults.memoryMb,
    cpus: resources.cpus ?? defaults.cpus,
    pids: resources.pids ?? defaults.pids,
    outputBytes: resources.output_kb === undefined ? defaults.outputBytes : resources.output_kb * 1024,
  };
}
