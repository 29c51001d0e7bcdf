import type { Tool } from '../registry/model.ts';

/** What the permission level and `confirm` of a tool ask for before a call may run (DESIGN §3, seed 003 §7.3). */
export type PermissionDecision = 'allowed' | 'needs_admin' | 'needs_confirmation';

/** The role that `system` tools ask for. */
export const ADMIN_ROLE = 'admin';

export function decidePermission(tool: Pick<Tool, 'permissionLevel' | 'confirm'>, roles: readonly string[]): PermissionDecision {
  if (tool.permissionLevel === 'system' && !roles.includes(ADMIN_ROLE)) return 'needs_admin';
  if (tool.permissionLevel !== 'readonly' || tool.confirm !== 'never') return 'needs_confirmation';
  return 'allowed';
}
