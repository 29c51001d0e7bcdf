import * as z from 'zod';
import { line } from './fields.ts';
import type { Problem } from './model.ts';
import type { PluginFiles } from './plugin-files.ts';
import { createKeyTable } from './shape.ts';
import { readYamlFile, type YamlFormat } from './yaml-file.ts';

/** A skill's definition, in bytes: a prompt this long would fill a model's context by itself. */
const MAX_FILE_BYTES = 128 * 1024;
const MAX_DESCRIPTION = 4096;

/** What a `.def.yaml` says of a skill (seed 003 §4.2). */
export interface SkillDefinition {
  readonly description: string;
  /** Whole, as it goes into a system prompt. */
  readonly promptTemplate: string;
  /** Of the file's text. */
  readonly digest: string;
}

const definitionSchema = z.object({
  name: line(128).optional(),
  description: z.string().max(MAX_DESCRIPTION).default(''),
  prompt_template: z.string().refine((text) => text.trim() !== ''),
  // The order of the conversation, for whoever maintains the prompt; the model is told by the prompt itself.
  steps: z.array(z.unknown()).optional(),
});

const KEYS = createKeyTable([
  ['name', { mend: 'Write the skill’s id, or leave it out.' }],
  [
    'description',
    { mend: `Write when to use the skill, in at most ${MAX_DESCRIPTION} characters; put it in quotes when it contains \`: \`.` },
  ],
  ['prompt_template', { mend: 'Write `prompt_template: |` and the prompt below it, indented.' }],
  ['steps', { mend: 'Write a list, e.g. `- acknowledge: true`, or leave it out.' }],
]);

const FORMAT: YamlFormat<z.infer<typeof definitionSchema>> = {
  schema: definitionSchema,
  keys: KEYS,
  textKeys: new Set(['name', 'description', 'prompt_template']),
  maxBytes: MAX_FILE_BYTES,
  mendMissing: 'Add the file, or name the right one as `definition_file`.',
};

/** Reads a skill's definition; `definition` is undefined exactly when a problem of severity `error` says why. */
export async function readSkillDefinition(
  files: PluginFiles,
  path: string,
): Promise<{ readonly definition: SkillDefinition | undefined; readonly problems: readonly Problem[] }> {
  const { problems, ...read } = await readYamlFile(files, path, FORMAT);
  if (read.value === undefined) return { definition: undefined, problems };
  const { description, prompt_template: promptTemplate } = read.value;
  return { definition: { description, promptTemplate, digest: read.digest }, problems };
}
