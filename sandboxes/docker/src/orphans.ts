import type { ContainerInfo } from 'dockerode';
import { MANAGER_LABEL, managerOf } from './container-labels.ts';
import { ANSWER_LIMIT_MS, type Engine } from './engine.ts';
import { engineFailure } from './engine-errors.ts';
import type { ManagerIdentity } from './manager-identity.ts';
import { within } from './or-abort.ts';
import type { Removals } from './removals.ts';

/** What a sweep knows about a container that carries our label. */
export interface LabelledContainer {
  readonly labels: Readonly<Record<string, string>>;
  readonly running: boolean;
  /** Since it was made, in ms. */
  readonly ageMs: number;
}

/** A container between `create` and `start` is not running either; no start takes this long, in ms. */
const STARTING_MS = 60_000;
/** Longer than any call, or any idle container, lives: 1 hour, in ms. */
const FOREIGN_MAX_AGE_MS = 3_600_000;

/**
 * The rule: a container is an orphan when its manager is known to be dead, or cannot be known and the
 * container is of no use to anyone.
 *
 * - Manager of our boot and pid namespace: dead when no process has its pid and start time.
 * - Any other (another container's pid namespace, an earlier boot, labels we cannot read): we cannot
 *   look, and must not kill a living neighbour's containers. Orphan when it does not run and is not just
 *   being started, or when it is older than anything a manager keeps.
 */
export async function isOrphan(
  container: LabelledContainer,
  us: ManagerIdentity,
  startTimeOf: (pid: number) => Promise<string | undefined>,
): Promise<boolean> {
  const manager = managerOf(container.labels);
  if (manager?.namespace === us.namespace) return (await startTimeOf(manager.pid)) !== manager.startedAt;
  return container.ageMs > (container.running ? FOREIGN_MAX_AGE_MS : STARTING_MS);
}

/** Removes every orphan; resolves to how many. Rejects with ERR_SANDBOX_UNAVAILABLE when it cannot look. */
export async function sweepOrphans(
  engine: Engine,
  us: ManagerIdentity,
  startTimeOf: (pid: number) => Promise<string | undefined>,
  removals: Removals,
): Promise<number> {
  const containers = await listLabelled(engine);
  let swept = 0;
  for (const { Id, Labels, State, Created } of containers) {
    const container = { labels: Labels, running: State === 'running', ageMs: Date.now() - Created * 1_000 };
    if (!(await isOrphan(container, us, startTimeOf))) continue;
    if (await removals.remove(Id)) swept++;
  }
  return swept;
}

async function listLabelled(engine: Engine): Promise<ContainerInfo[]> {
  try {
    return await within(ANSWER_LIMIT_MS, engine.listContainers({ all: true, filters: { label: [MANAGER_LABEL] } }));
  } catch (error) {
    throw engineFailure(error, 'before-run', 'list its containers');
  }
}
