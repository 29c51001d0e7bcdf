import type { ManagerIdentity } from './manager-identity.ts';

/** On every container we make: whose it is. Images carry other keys, as a container inherits its image's labels. */
export const MANAGER_LABEL = 'yuanbot.manager';
const PID_LABEL = 'yuanbot.manager.pid';
const STARTED_LABEL = 'yuanbot.manager.started';
const NAMESPACE_LABEL = 'yuanbot.manager.namespace';
/** The descriptor's digest: which tool. */
const TOOL_LABEL = 'yuanbot.tool';

export function containerLabels(manager: ManagerIdentity, toolDigest: string): Record<string, string> {
  return {
    [MANAGER_LABEL]: manager.instanceId,
    [PID_LABEL]: String(manager.pid),
    [STARTED_LABEL]: manager.startedAt,
    [NAMESPACE_LABEL]: manager.namespace,
    [TOOL_LABEL]: toolDigest,
  };
}

/** Whose a container says it is; undefined when its labels are not all there. */
export function managerOf(labels: Readonly<Record<string, string>>): ManagerIdentity | undefined {
  const instanceId = labels[MANAGER_LABEL];
  const pid = labels[PID_LABEL];
  const startedAt = labels[STARTED_LABEL];
  const namespace = labels[NAMESPACE_LABEL];
  if (instanceId === undefined || pid === undefined || startedAt === undefined || namespace === undefined) return undefined;
  return /^\d{1,10}$/.test(pid) ? { instanceId, pid: Number(pid), startedAt, namespace } : undefined;
}
