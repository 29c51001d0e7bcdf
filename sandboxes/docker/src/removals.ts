import type { Engine } from './engine.ts';
import { isConflict, isNotFound } from './engine-errors.ts';
import type { Log } from './log.ts';
import { within } from './or-abort.ts';

/** Gets rid of containers, and remembers those it could not get rid of. */
export interface Removals {
  /** Kills and removes the container (by id or name); resolves when it is gone. False when the engine did not do it: it is kept for `retry`. */
  remove(container: string): Promise<boolean>;
  /** Removes the container `name` that `creating` may still turn out to make, or to have made without being able to say so. */
  removeWhenCreated(creating: Promise<unknown>, name: string): void;
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

  async function remove(container: string): Promise<boolean> {
    try {
      // v: an anonymous volume, should one exist, goes too.
      await within(REMOVAL_LIMIT_MS, engine.getContainer(container).remove({ force: true, v: true }));
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) {
        failed.add(container);
        log('warn', 'a container could not be removed; it is tried again with the next sweep', { container, error });
        return false;
      }
    }
    failed.delete(container);
    return true;
  }

  return {
    remove: (container) => track(remove(container)),
    removeWhenCreated(creating, name) {
      track(Promise.allSettled([creating]).then(() => remove(name)));
    },
    async retry() {
      await Promise.all([...failed].map((container) => track(remove(container))));
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
