import type { ExecutorDescriptor } from '@yuanbot/contract';
import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import { type CommonPart, ID } from './fields.ts';
import type { PluginPlace, ReadPlugin } from './loaded-plugin.ts';
import type { Problem, Skill, Tool } from './model.ts';

/** Why a definition cannot be used, and what could be read of it. */
export interface Broken {
  readonly problems: readonly Problem[];
  /** The file's top level, as far as it could be read and whatever it holds. */
  readonly written: Readonly<Record<string, unknown>>;
  /** What is checked, and shown as it is. */
  readonly known?: Partial<CommonPart & Pick<Tool, 'description' | 'permissionLevel'>>;
  /** Where the id is written; left out, it is the line of the first problem. */
  readonly idLine?: number;
}

/**
 * The listing's entry for a definition that cannot be used. It is never callable, and should anybody forget to ask:
 * every restriction stands at its strictest and there is nothing that could be run.
 *
 * The id is the written one when it can be made out, else the one that the file's name suggests; when neither is an id,
 * only the problems come back.
 */
export function brokenPlugin(
  place: PluginPlace,
  { problems, written, known = {}, idLine = problems[0]?.line ?? 0 }: Broken,
): ReadPlugin {
  const writtenId = written[`${place.kind}_id`];
  const idIsGuess = typeof writtenId !== 'string' || !ID.test(writtenId);
  const id = idIsGuess ? place.stem : writtenId;
  if (!ID.test(id)) return { problems };
  const common = {
    name: typeof written['name'] === 'string' ? written['name'].replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_NAME) : id,
    version: '',
    domains: [],
    tags: [],
    personaFilters: [],
    enabled: written['enabled'] !== false,
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
    idLine,
    artifacts: [],
  };
}

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
