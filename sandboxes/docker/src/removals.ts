import type { Engine } from './engine.ts';
import { isConflict, isNotFound } from './engine-errors.ts';
import type { Log } from './log.ts';
import { within } from './or-abort.ts';

/** Gets rid of containers, and remembers those it could not get rid of. */
export interface Removals {
  /** Kills and removes the container; resolves when it is gone. False when the engine did not do it: it is kept for `retry`. */
  remove(containerId: string): Promise<boolean>;
  /** Removes the container that `creating` may still turn out to make, whenever that is. */
  removeWhenCreated(creating: Promise<{ id: string }>): void;
  /** Tries again what failed before. */
  retry(): Promise<void>;
  /** Resolves when nothing is being removed any more. */
  settled(): Promise<void>;
}

/** A removal takes the engine 10–100 ms; one that hangs longer than this, in ms, must not hold up its call. */
const REMOVAL_LIMIT_MS = 10_000;

export function createRemovals(engine: Engine, log: Log): Removals {
  const underWay = new Set<Promise<unknown>>();
  const failed = new Set<string>();

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  async function remove(containerId: string): Promise<boolean> {
    try {
      // v: an anonymous volume, should one exist, goes too.
      await within(REMOVAL_LIMIT_MS, engine.getContainer(containerId).remove({ force: true, v: true }));
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) {
        failed.add(containerId);
        log('warn', 'a container could not be removed; it is tried again with the next sweep', { containerId, error });
        return false;
      }
    }
    failed.delete(containerId);
    return true;
  }

  return {
    remove: (containerId) => track(remove(containerId)),
    removeWhenCreated(creating) {
      track(
        creating.then(
          ({ id }) => remove(id),
          (error: unknown) => log('debug', 'a container that was given up was not created either', { error }),
        ),
      );
    },
    async retry() {
      await Promise.all([...failed].map((containerId) => track(remove(containerId))));
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
