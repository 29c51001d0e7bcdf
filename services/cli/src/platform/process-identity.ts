import { readFile, readlink } from 'node:fs/promises';

/**
 * Which process, of all there ever are. A pid alone is used again, and means nothing outside its pid namespace; so it goes
 * with the time its process started, and with the boot and the namespace both are of. The only file here that reads /proc.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot, as in /proc/<pid>/stat field 22. */
  readonly startedAt: string;
  /** Boot id and pid namespace: pids are comparable within one only. */
  readonly namespace: string;
}

/** The process that asks. */
export async function readOwnIdentity(): Promise<ProcessIdentity> {
  const [stat, bootId, namespace] = await Promise.all([
    readFile('/proc/self/stat', 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readlink('/proc/self/ns/pid'),
  ]);
  return { pid: Number.parseInt(stat, 10), startedAt: startTimeIn(stat), namespace: `${bootId.trim()} ${namespace}` };
}

/** Whether `process`, of `ours` boot and namespace, is no more; false where that cannot be known from here. */
export async function isGone(process: ProcessIdentity, ours: ProcessIdentity): Promise<boolean> {
  if (process.namespace !== ours.namespace) return false;
  try {
    const stat = await readFile(`/proc/${process.pid}/stat`, 'utf8');
    return startTimeIn(stat) !== process.startedAt || ENDED.includes(fieldsAfterCommand(stat)[0] ?? '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return true;
    throw error;
  }
}

export function writeIdentity({ pid, startedAt, namespace }: ProcessIdentity): string {
  return `${JSON.stringify({ pid, started_at: startedAt, namespace })}\n`;
}

/** What `writeIdentity` wrote; undefined for anything else. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, started_at: startedAt, namespace } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(pid) || typeof startedAt !== 'string' || typeof namespace !== 'string') return undefined;
  return { pid: pid as number, startedAt, namespace };
}

/** States of a process that has ended, and that its parent may never ask after. */
const ENDED = ['Z', 'X'];

/** Position of `starttime`, field 22, after the command. */
const START_TIME_AFTER_COMMAND = 19;

/** When a process started, from its /proc/<pid>/stat. */
function startTimeIn(stat: string): string {
  return fieldsAfterCommand(stat)[START_TIME_AFTER_COMMAND] ?? '';
}

/** Fields 3, 4, … : the command before them may itself hold spaces and parentheses. */
function fieldsAfterCommand(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
