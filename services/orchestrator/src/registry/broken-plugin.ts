import type { ExecutorDescriptor } from '@yuanbot/contract';
import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import { type CommonPart, ID } from './fields.ts';
import type { PluginPlace, ReadPlugin } from './loaded-plugin.ts';
import type { Problem, Skill, Tool } from './model.ts';

/**
 * The listing's entry for a definition that cannot be used. It is never callable, and should anybody forget to ask:
 * every restriction stands at its strictest and there is nothing that could be run. `known` is what could be read.
 *
 * The id is the written one when it can be made out, else the one that the file's name suggests; when neither is an id,
 * only the problems come back.
 */
export function brokenPlugin(
  place: PluginPlace,
  partial: Readonly<Record<string, unknown>>,
  problems: readonly Problem[],
  known: Known = {},
): ReadPlugin {
  const written = partial[`${place.kind}_id`];
  const idIsGuess = typeof written !== 'string' || !ID.test(written);
  const id = idIsGuess ? place.stem : written;
  if (!ID.test(id)) return { problems };
  const common = {
    name: typeof partial['name'] === 'string' ? partial['name'].slice(0, MAX_NAME) : id,
    version: '',
    domains: [],
    tags: [],
    personaFilters: [],
    enabled: partial['enabled'] !== false,
    overridesSystem: false,
    description: '',
    ...known,
    id,
    source: place.source,
    file: place.file,
    digest: '',
    tokenCost: 0,
    problems,
    callable: false,
    resources: [],
  };
  return {
    capability: place.kind === 'skill' ? { ...common, ...NO_SKILL } : { ...NO_TOOL, ...common },
    idIsGuess,
    idLine: problems[0]?.line ?? 0,
    artifacts: [],
  };
}

/** What is shown of a broken capability as soon as it is known. */
export type Known = Partial<CommonPart & Pick<Tool, 'description' | 'permissionLevel'>>;

const MAX_NAME = 120;

type Own<T extends Skill | Tool> = Pick<T, Exclude<keyof T, keyof Skill & keyof Tool> | 'kind'>;

const NO_SKILL: Own<Skill> = { kind: 'skill', promptTemplate: '' };

const NOTHING: ExecutorDescriptor = {
  kind: 'local_thread',
  image: '',
  artifact: '',
  command: [],
  env: [],
  protocol: 'oneshot',
  network: 'none',
  resources: [],
};

const NO_TOOL: Own<Tool> = {
  kind: 'tool',
  callName: '',
  permissionLevel: 'system',
  confirm: 'each_step',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  definitionJson: '',
  executor: { descriptor: NOTHING, digest: sha256Digest(canonicalJson(NOTHING)) },
  fallback: undefined,
  limits: { timeoutMs: 1, memoryMb: 1, cpus: 0.01, pids: 1, outputBytes: 1 },
  scope: { fs: 'none', net: [], db: [], secrets: [] },
};
