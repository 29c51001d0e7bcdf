import { sha256Digest } from '@yuanbot/kit/canonical';
import type { Skill, Tool } from '../../src/registry/model.ts';

const common = {
  version: '1',
  domains: ['daily_chat'],
  tags: [],
  personaFilters: [],
  enabled: true,
  source: 'system',
  overridesSystem: false,
  digest: sha256Digest(''),
  problems: [],
  callable: true,
  resources: [],
} as const;

/** A callable skill of 100 tokens in `daily_chat` for everyone. */
export function skill({ id, ...fields }: Partial<Skill> & { id: string }): Skill {
  return {
    ...common,
    kind: 'skill',
    id,
    name: id,
    description: '',
    file: `skills/${id}.yaml`,
    tokenCost: 100,
    promptTemplate: `[${id}]`,
    ...fields,
  };
}

/** A callable readonly tool of 50 tokens in `daily_chat` for everyone. */
export function tool({ id, ...fields }: Partial<Tool> & { id: string }): Tool {
  const descriptor = {
    kind: 'local_thread',
    image: '',
    artifact: '',
    command: [],
    env: [],
    protocol: 'oneshot',
    network: 'none',
    resources: [],
  } as const;
  return {
    ...common,
    kind: 'tool',
    id,
    name: id,
    description: '',
    file: `tools/${id}.yaml`,
    tokenCost: 50,
    callName: id,
    permissionLevel: 'readonly',
    confirm: 'never',
    parameters: { type: 'object' },
    definitionJson: '{}',
    executor: { descriptor, digest: sha256Digest(id) },
    fallback: undefined,
    limits: { timeoutMs: 1, memoryMb: 1, cpus: 1, pids: 1, outputBytes: 1 },
    scope: { fs: 'none', net: [], db: [], secrets: [] },
    ...fields,
  };
}
