import type { Job } from './job.ts';

/** Jobs that wait, in order. */
export interface JobQueue {
  readonly size: number;
  add(job: Job): void;
  /** True when it was waiting. */
  remove(job: Job): boolean;
  /** Offers jobs in order until `take` says that there is no point in going on; what it took is out of the queue. */
  offer(take: (job: Job) => 'taken' | 'kept' | 'stop'): void;
  /** Removes and returns those that have waited since before `since`, by `performance.now()`. */
  removeOlderThan(since: number): readonly Job[];
  removeAll(): readonly Job[];
}

export function createJobQueue(): JobQueue {
  const waiting = new Set<Job>();
  return {
    get size() {
      return waiting.size;
    },
    add: (job) => void waiting.add(job),
    remove: (job) => waiting.delete(job),
    offer(take) {
      for (const job of waiting) {
        const answer = take(job);
        if (answer === 'stop') return;
        if (answer === 'taken') waiting.delete(job);
      }
    },
    removeOlderThan(since) {
      const old: Job[] = [];
      for (const job of waiting) {
        if (job.queuedAt >= since) break;
        waiting.delete(job);
        old.push(job);
      }
      return old;
    },
    removeAll() {
      const all = [...waiting];
      waiting.clear();
      return all;
    },
  };
}
