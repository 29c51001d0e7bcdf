import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timer } from '../../src/lifecycle/index.ts';

export interface ManualTimer extends Timer {
  /** Lets `ms` pass: wakes whoever is due, in order, and lets what that sets off run. */
  pass(ms: number): Promise<void>;
  /** Timers neither woken nor taken back. */
  readonly waiting: number;
}

/** A clock that stands still until it is told to go. */
export function createManualTimer(): ManualTimer {
  let now = 0;
  const sleepers = new Set<{ due: number; wake: () => void }>();
  return {
    after(ms, wake) {
      const sleeper = { due: now + ms, wake };
      sleepers.add(sleeper);
      return () => sleepers.delete(sleeper);
    },
    async pass(ms) {
      now += ms;
      const due = [...sleepers].filter((sleeper) => sleeper.due <= now).sort((a, b) => a.due - b.due);
      for (const sleeper of due) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await settle();
    },
    get waiting() {
      return sleepers.size;
    },
  };
}

/** Lets everything that needs no time happen. Closing takes a few turns of the event loop for each closer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}
