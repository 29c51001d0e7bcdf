import { readFile, readlink } from 'node:fs/promises';

/**
 * Whose a container is. A pid alone is reused, and means nothing outside its pid namespace: two
 * managers in two containers are both number 1. So a manager is its pid, that process's start time, and
 * the namespace (of this boot) both are of. The only file here that reads /proc.
 */
export interface ManagerIdentity {
  /** Fresh for each start of a manager. */
  readonly instanceId: string;
  readonly pid: number;
  /** Clock ticks since boot, as in /proc/<pid>/stat field 22. */
  readonly startedAt: string;
  /** Boot id and pid namespace: pids are comparable within one only. */
  readonly namespace: string;
}

/** The identity of the process `pid` of this machine. Rejects when there is no such process. */
export async function readManagerIdentity(instanceId: string, pid: number): Promise<ManagerIdentity> {
  const [startedAt, bootId, namespace] = await Promise.all([
    readStartTime(pid),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readlink(`/proc/${pid}/ns/pid`),
  ]);
  if (startedAt === undefined) throw new Error(`no process ${pid}`);
  return { instanceId, pid, startedAt, namespace: `${bootId.trim()} ${namespace}` };
}

/** When process `pid` started, in clock ticks since boot; undefined when there is none. */
export async function readStartTime(pid: number): Promise<string | undefined> {
  try {
    return parseStartTime(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return undefined;
    throw error;
  }
}

/** Position of `starttime` after the command, which may itself hold spaces and parentheses: fields 3, 4, … */
const START_TIME_AFTER_COMMAND = 19;

export function parseStartTime(stat: string): string | undefined {
  const field = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME_AFTER_COMMAND];
  return field !== undefined && /^\d+$/.test(field) ? field : undefined;
}
