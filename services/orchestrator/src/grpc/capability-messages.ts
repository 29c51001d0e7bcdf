import type { PermissionLevel } from '@yuanbot/contract';
import type { MessageInitShape } from '@yuanbot/proto';
import {
  type CapabilityInfoSchema,
  CapabilityKind,
  type ListCapabilitiesRequest,
  type LoadedSkillSchema,
  type LoadedToolSchema,
  type LoadForIntentRequest,
  type LoadForIntentResponseSchema,
  PermissionLevel as PermissionLevelMessage,
  Problem_Severity,
  type ProblemSchema,
  type ResourceInfoSchema,
  SkillContext,
} from '@yuanbot/proto/capability';
import type { ListRequest } from '../loading/list-capabilities.ts';
import type { LoadResult } from '../loading/load-for-intent.ts';
import type { LoadRequest } from '../loading/load-request.ts';
import type { Ranked } from '../matching/rank.ts';
import type { Capability, Problem, Resource, Skill, Tool } from '../registry/model.ts';
import { SANDBOX_KIND_MESSAGES } from './tool-call-messages.ts';

/** The translation between the index's and the loader's messages and the domain. */

const PERMISSION_MESSAGES = {
  readonly: PermissionLevelMessage.READONLY,
  user_data: PermissionLevelMessage.USER_DATA,
  system: PermissionLevelMessage.SYSTEM,
} as const satisfies Record<PermissionLevel, PermissionLevelMessage>;

const PERMISSION_LEVELS: ReadonlyMap<PermissionLevelMessage, PermissionLevel> = new Map([
  [PermissionLevelMessage.READONLY, 'readonly'],
  [PermissionLevelMessage.USER_DATA, 'user_data'],
  [PermissionLevelMessage.SYSTEM, 'system'],
]);

const KIND_MESSAGES = {
  skill: CapabilityKind.SKILL,
  tool: CapabilityKind.TOOL,
} as const satisfies Record<Capability['kind'], CapabilityKind>;

const KINDS: ReadonlyMap<CapabilityKind, Capability['kind']> = new Map([
  [CapabilityKind.SKILL, 'skill'],
  [CapabilityKind.TOOL, 'tool'],
]);

const SEVERITY_MESSAGES = { warning: Problem_Severity.WARNING, error: Problem_Severity.ERROR } as const;

export function toListRequest(message: ListCapabilitiesRequest): ListRequest {
  return {
    domainPrefix: message.domainPrefix,
    kind: KINDS.get(message.kind),
    includeDisabled: message.includeDisabled,
    permissionLevel: PERMISSION_LEVELS.get(message.permissionLevel),
    tags: message.tags,
    pageSize: message.pageSize,
    pageToken: message.pageToken,
  };
}

export function fromCapability(capability: Capability): MessageInitShape<typeof CapabilityInfoSchema> {
  const { kind, id, name, description, version, domains, tags, personaFilters, enabled, source, file, digest } = capability;
  return {
    kind: KIND_MESSAGES[kind],
    id,
    name,
    description,
    version,
    domains: [...domains],
    tags: [...tags],
    personaFilters: [...personaFilters],
    // A file that could not be read has neither level nor sandbox to show.
    ...(capability.kind === 'tool' && capability.definitionJson !== ''
      ? {
          permissionLevel: PERMISSION_MESSAGES[capability.permissionLevel],
          sandbox: SANDBOX_KIND_MESSAGES[capability.executor.descriptor.kind],
        }
      : {}),
    enabled,
    source,
    file,
    digest,
    tokenCost: capability.tokenCost,
    problems: capability.problems.map(fromProblem),
    callable: capability.callable,
    overridesSystem: capability.overridesSystem,
  };
}

export function fromProblem({ severity, file, line, message, mend }: Problem): MessageInitShape<typeof ProblemSchema> {
  return { severity: SEVERITY_MESSAGES[severity], file, line, message, mend };
}

export function toLoadRequest(message: LoadForIntentRequest): LoadRequest {
  return {
    domains: message.domains,
    persona: message.persona,
    personaFilters: message.personaFilters,
    query: message.query,
    roles: message.roles,
    selectedSkills: message.selectedSkills,
    candidateTools: message.candidateTools,
    maxSkills: message.maxSkills,
    maxTools: message.maxTools,
    tokenBudget: message.tokenBudget,
  };
}

export function fromLoadResult({
  skills,
  tools,
  tokens,
  abstained,
}: LoadResult): MessageInitShape<typeof LoadForIntentResponseSchema> {
  return { skills: skills.map(fromSkill), tools: tools.map(fromTool), tokens, abstained };
}

function fromSkill({ capability, score }: Ranked<Skill>): MessageInitShape<typeof LoadedSkillSchema> {
  const { id, name, version, promptTemplate, resources, tokenCost } = capability;
  return {
    id,
    name,
    version,
    prompt: promptTemplate,
    context: SkillContext.INLINE,
    resources: resources.map(fromResource),
    tokens: tokenCost,
    score,
  };
}

function fromTool({ capability, score }: Ranked<Tool>): MessageInitShape<typeof LoadedToolSchema> {
  const { id, callName, definitionJson, permissionLevel, tokenCost } = capability;
  return { id, callName, definitionJson, permissionLevel: PERMISSION_MESSAGES[permissionLevel], tokens: tokenCost, score };
}

export function fromResource({ path, size, digest, mediaType }: Resource): MessageInitShape<typeof ResourceInfoSchema> {
  return { path, size: BigInt(size), digest, mediaType };
}
