import type { CapabilityInfo, Problem } from '@yuanbot/proto/capability';
import { kindName, levelName, sandboxName, severityName } from './names.ts';

/** A listing's entry for `--json`: the API's names, enums in words. */
export function capabilityDocument(info: CapabilityInfo) {
  return {
    id: info.id,
    kind: kindName(info.kind),
    name: info.name,
    description: info.description,
    version: info.version,
    domains: info.domains,
    tags: info.tags,
    persona_filters: info.personaFilters,
    permission_level: levelName(info.permissionLevel),
    sandbox: sandboxName(info.sandbox),
    enabled: info.enabled,
    callable: info.callable,
    source: info.source,
    file: info.file,
    overrides_system: info.overridesSystem,
    token_cost: info.tokenCost,
    digest: info.digest,
    problems: info.problems.map(problemDocument),
  };
}

export function problemDocument({ severity, file, line, message, mend }: Problem) {
  return { severity: severityName(severity), file, line, message, mend };
}
