import { CapabilityKind, PermissionLevel, Problem_Severity, SandboxKind } from '@yuanbot/proto/capability';

/** An enum value of the API as people and scripts read it: `local_thread`; empty for UNSPECIFIED. */
export function nameIn(names: Readonly<Record<number, string | undefined>>, value: number): string {
  return value === 0 ? '' : (names[value] ?? String(value)).toLowerCase();
}

export const kindName = (kind: CapabilityKind) => nameIn(CapabilityKind, kind);
export const levelName = (level: PermissionLevel) => nameIn(PermissionLevel, level);
export const sandboxName = (sandbox: SandboxKind) => nameIn(SandboxKind, sandbox);
export const severityName = (severity: Problem_Severity) => nameIn(Problem_Severity, severity);
