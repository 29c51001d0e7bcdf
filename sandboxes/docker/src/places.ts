import { ToolCallError } from '@yuanbot/contract';

/** A bounded number of containers at once; who comes later waits in order of arrival. */
export interface Places {
  /**
   * Resolves when a place is free. Rejects with ERR_POOL_EXHAUSTED when the queue is full, unless the
   * call is `under-way`: what has already taken a step must not fail for want of a place.
   * Rejects with the signal's reason when it is aborted first.
   */
  enter(standing: 'new' | 'under-way', signal: AbortSignal): Promise<Place>;
  readonly busy: number;
}

export interface Place {
  /** How long it was waited for, in ms. */
  readonly queueMs: number;
  /** Gives it to the next; a second call does nothing. */
  leave(): void;
}

export function createPlaces(capacity: number, maxQueued: number): Places {
  const queue = new Set<() => void>();
  let busy = 0;

  function take(since: number): Place {
    let held = true;
    return {
      queueMs: performance.now() - since,
      leave() {
        if (!held) return;
        held = false;
        const [next] = queue;
        if (next === undefined) busy--;
        else next();
      },
    };
  }

  return {
    get busy() {
      return busy;
    },
    async enter(standing, signal) {
      signal.throwIfAborted();
      const since = performance.now();
      if (busy < capacity) {
        busy++;
        return take(since);
      }
      if (standing === 'new' && queue.size >= maxQueued) {
        throw new ToolCallError(
          'ERR_POOL_EXHAUSTED',
          `All ${capacity} containers are busy and ${queue.size} calls wait already. Try again in a moment.`,
        );
      }
      return new Promise((resolve, reject) => {
        const givenPlace = () => {
          queue.delete(givenPlace);
          signal.removeEventListener('abort', giveUp);
          resolve(take(since));
        };
        const giveUp = () => {
          queue.delete(givenPlace);
          reject(signal.reason);
        };
        queue.add(givenPlace);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
