import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import * as z from 'zod';
import { brokenPlugin } from './broken-plugin.ts';
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
import type { Skill } from './model.ts';
import { readResources } from './resources.ts';
import { createKeyTable } from './shape.ts';
import { readSkillDefinition } from './skill-definition.ts';
import { countTokens } from './token-count.ts';
import { readYamlFile, type YamlFormat } from './yaml-file.ts';

const skillSchema = z
  .object({ skill_id: z.string().regex(ID), ...commonFields, definition_file: relativePath.optional() })
  .refine(hasDomain, DOMAIN_MISSING);

const FORMAT: YamlFormat<z.infer<typeof skillSchema>> = {
  schema: skillSchema,
  keys: createKeyTable([
    ['skill_id', { mend: 'Write e.g. `skill_id: bedtime_story`: letters, digits, `_`, `-` and `.`, at most 128.' }],
    ...COMMON_KEYS,
    [
      'definition_file',
      { mend: 'Name the skill’s `.def.yaml` file, e.g. `definition_file: bedtime_story.def.yaml`, a path without `..`.' },
    ],
  ]),
  textKeys: new Set(['skill_id', ...COMMON_TEXT_KEYS]),
  // The prompt is in another file; this one has some ten lines.
  maxBytes: 64 * 1024,
  mendMissing: 'Save the skill’s file again.',
};

/**
 * Reads a skill in the Yuan format (seed 003 §4.1, §4.2). Never rejects for what is in the files: a broken skill comes as
 * one that is not callable, with its problems.
 */
export async function readYuanSkill(place: PluginPlace): Promise<ReadPlugin> {
  const read = await readYamlFile(place.files, place.file, FORMAT);
  if (read.value === undefined) return brokenPlugin(place, { problems: read.problems, written: read.partial });
  const { value: fields, document } = read;
  const idLine = document.lineOf(['skill_id']);

  const definitionPath = `${place.folder}/${fields.definition_file ?? `${place.stem}.def.yaml`}`;
  const { definition, problems: definitionProblems } = await readSkillDefinition(place.files, definitionPath);
  const { resources, artifacts, problems: resourceProblems } = await readResources(place);
  const problems = [...read.problems, ...definitionProblems, ...resourceProblems];
  const common = commonPart(fields, place);
  if (definition === undefined || hasError(problems))
    return brokenPlugin(place, { problems, written: document.value, known: common, idLine });
  const { description, promptTemplate } = definition;
  const capability: Skill = {
    ...common,
    kind: 'skill',
    id: fields.skill_id,
    description,
    promptTemplate,
    digest: sha256Digest(canonicalJson([read.digest, definition.digest, resources.map(({ path, digest }) => [path, digest])])),
    tokenCost: countTokens(promptTemplate),
    problems,
    callable: fields.enabled,
    resources,
  };
  return { capability, idIsGuess: false, idLine, artifacts };
}
