import { ToolCallError } from '@yuanbot/contract';
import { memoryError, processDiedError } from './call-errors.ts';
import type { HostFleet } from './host-fleet.ts';
import type { HostHandle } from './host-handle.ts';
import type { Job } from './job.ts';
import { createJobQueue } from './job-queue.ts';
import type { PoolSettings } from './options.ts';
import type { WorkerHandle } from './worker-handle.ts';

/** Brings jobs and free workers together, first come first served, and watches what runs. */
export interface Dispatcher {
  /** Why no job can be taken now; undefined when one can. */
  refusal(): ToolCallError | undefined;
  add(job: Job): void;
  /** Ends a job, wherever it is. */
  end(job: Job, error: ToolCallError): void;
  /** Jobs whose process died under them: once more, alone, or not at all. */
  takeBack(jobs: readonly Job[], outOfMemory: boolean): void;
  dispatch(): void;
  /** Rejects what waits. What runs is not touched. */
  rejectAll(error: ToolCallError): void;
}

/** How often memory and waiting jobs are looked at, in ms. A typed-array bomb fills about 50 MB in that time. */
const WATCH_INTERVAL_MS = 20;
/** A call younger than this, in ms, is not watched yet: most are over by then. */
const WATCH_AFTER_MS = 10;
/** A job waits this long, in ms, for a worker of its memory class before a free one of another class is started anew for it. */
const CLASS_PATIENCE_MS = 50;

export function createDispatcher(settings: PoolSettings, fleet: HostFleet): Dispatcher {
  const queue = createJobQueue();
  /** Each of these was in a process that died: the next one may be its doing, so it gets a process to itself. */
  const suspects = createJobQueue();
  /** Processes that a suspect has to itself, and their suspects. */
  const reserved = new Map<HostHandle, Job>();
  let watch: NodeJS.Timeout | undefined;

  let dispatching = false;
  let changed = false;

  /** Giving a job away may change what there is to give, or bring another: then it looks again, never inside itself. */
  function dispatch(): void {
    changed = true;
    if (dispatching) return;
    dispatching = true;
    try {
      while (changed) {
        changed = false;
        dispatchOnce();
      }
    } finally {
      dispatching = false;
    }
  }

  function dispatchOnce(): void {
    const outage = fleet.outage();
    if (outage !== undefined) {
      rejectAll(unavailable(outage));
      return;
    }
    for (const [host, job] of reserved) if (!has(host, job)) reserved.delete(host);
    suspects.offer(giveAlone);
    queue.offer(give);
  }

  function give(job: Job): 'taken' | 'kept' | 'stop' {
    let best: WorkerHandle | undefined;
    let other: { readonly host: HostHandle; readonly worker: WorkerHandle } | undefined;
    for (const host of fleet.hosts()) {
      if (!host.isServing() || reserved.has(host)) continue;
      for (const worker of host.workers()) {
        if (!worker.isFree()) continue;
        if (worker.classMb !== job.classMb) other = { host, worker };
        else if (best === undefined || (worker.holds(job.program.digest) && !best.holds(job.program.digest))) best = worker;
      }
    }
    if (best !== undefined) {
      best.assign(job);
      return 'taken';
    }
    if (other === undefined) return 'stop';
    const waited = performance.now() - job.queuedAt;
    if (isToChange(job.classMb, waited > CLASS_PATIENCE_MS)) other.host.changeClass(other.worker, job.classMb);
    return 'kept';
  }

  function giveAlone(job: Job): 'taken' | 'kept' | 'stop' {
    for (const host of fleet.hosts()) {
      if (!host.isServing() || reserved.has(host) || host.busy() > 0) continue;
      const free = host.workers().filter((worker) => worker.isFree());
      const worker = free.find(({ classMb }) => classMb === job.classMb);
      if (worker !== undefined) {
        reserved.set(host, job);
        worker.assign(job);
        return 'taken';
      }
      const [first] = free;
      if (first !== undefined && isToChange(job.classMb, true)) {
        host.changeClass(first, job.classMb);
        return 'kept';
      }
    }
    return 'stop';
  }

  /** Whether another worker should become one of this class: not while one is on its way, nor lightly when there is one. */
  function isToChange(classMb: number, impatient: boolean): boolean {
    const states = [...fleet.hosts()].filter((host) => host.isServing()).map((host) => host.classState(classMb));
    return !states.includes('coming') && (impatient || !states.includes('there'));
  }

  function has(host: HostHandle, job: Job): boolean {
    return host.workers().some((worker) => worker.job() === job);
  }

  function look(): void {
    const now = performance.now();
    for (const job of queue.removeOlderThan(now - settings.queueTimeoutMs)) {
      job.reject(
        new ToolCallError(
          'ERR_POOL_EXHAUSTED',
          `No ${settings.kind} sandbox became free within ${settings.queueTimeoutMs} ms; try again later.`,
        ),
      );
    }
    let busy = 0;
    for (const host of fleet.hosts()) {
      busy += host.busy();
      const old = host.workers().some((worker) => now - (worker.assignedAt() ?? now) > WATCH_AFTER_MS);
      if (old) host.watchMemory();
    }
    if (queue.size + suspects.size > 0) dispatch();
    else if (busy === 0) {
      clearInterval(watch);
      watch = undefined;
    }
  }

  function rejectAll(error: ToolCallError): void {
    for (const job of [...suspects.removeAll(), ...queue.removeAll()]) job.reject(error);
  }

  function unavailable(outage: string): ToolCallError {
    return new ToolCallError('ERR_SANDBOX_UNAVAILABLE', `The ${settings.kind} sandbox cannot be started: ${outage}`);
  }

  return {
    refusal() {
      const outage = fleet.outage();
      if (outage !== undefined) return unavailable(outage);
      if (queue.size < settings.maxQueue) return undefined;
      return new ToolCallError(
        'ERR_POOL_EXHAUSTED',
        `${queue.size} calls wait for a ${settings.kind} sandbox already; try again later.`,
      );
    },

    add(job) {
      watch ??= setInterval(look, WATCH_INTERVAL_MS);
      queue.add(job);
      dispatch();
    },

    end(job, error) {
      if (queue.remove(job) || suspects.remove(job)) return job.reject(error);
      for (const host of fleet.hosts()) {
        for (const worker of host.workers()) if (worker.job() === job) worker.end(error);
      }
    },

    takeBack(jobs, outOfMemory) {
      for (const job of jobs) {
        job.deaths++;
        const ownDoing = outOfMemory && jobs.length === 1;
        if (job.deaths > 1 || job.steps > 0 || ownDoing) job.reject(outOfMemory ? memoryError(job.memoryMb) : processDiedError());
        else {
          job.queuedAt = performance.now();
          suspects.add(job);
          settings.onEvent({ type: 'call_rerun', invocationId: job.work?.call.invocationId ?? '' });
        }
      }
    },

    dispatch,
    rejectAll,
  };
}
