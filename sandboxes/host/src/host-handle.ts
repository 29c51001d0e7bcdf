import type { ToolCallError } from '@yuanbot/contract';
import { memoryError, threadDiedError } from './call-errors.ts';
import { type HostEnd, spawnHostProcess } from './host-process.ts';
import type { Job } from './job.ts';
import type { FromHost, WorkerExit } from './link/control-messages.ts';
import { heapLimitMb, hostLimitMb } from './memory-class.ts';
import type { PoolSettings } from './options.ts';
import { createProgramStore } from './program-store.ts';
import { readResidentBytes } from './resident-memory.ts';
import { createWorkerHandle, type WorkerHandle } from './worker-handle.ts';

/** One host process with its workers, on the manager's side: from its start to its end. */
export interface HostHandle {
  readonly pid: number;
  readonly workers: () => readonly WorkerHandle[];
  /** A worker has been ready at least once, and the isolation was observed. */
  hasServed(): boolean;
  /** Takes calls: up, and neither ending nor to be replaced. */
  isServing(): boolean;
  busy(): number;
  /** Whether it has a worker of this memory class, or one is being started. */
  classState(classMb: number): 'none' | 'coming' | 'there';
  /** Starts the free worker anew in another memory class. */
  changeClass(worker: WorkerHandle, classMb: number): void;
  /** Compares what the process uses with what it may, and asks what each worker uses. */
  watchMemory(): void;
  kill(): void;
}

export interface HostHandleEvents {
  /** A worker may take a job. */
  onFree(): void;
  /** No more calls should go here: sockets for new workers are used up. */
  onRetired(): void;
  /** The process is gone. `lost` had no fault that is known; what had one is settled already. */
  onClosed(lost: readonly Job[], end: HostEnd): void;
}

/** A thread that is told to end has this long, in ms, before its process is killed. With the kill it makes the 250 ms that a call's end may take. */
const STOP_GRACE_MS = 120;
/** A worker that is not ready after this, in ms, never will be. */
const START_TIMEOUT_MS = 20_000;
/** A worker that has not said for this long, in ms, what it uses, is inside one native operation. */
const SILENT_AFTER_MS = 60;
/**
 * One that is silent for so long, in ms, is judged by what its process uses. A collection of a large heap on a busy
 * machine keeps a thread silent for some hundred ms, and is nobody's fault.
 */
const JUDGED_WITHOUT_WORD_AFTER_MS = 1_000;
const MIB = 1024 * 1024;

/** Where one worker lives; it keeps its memory class when the worker is replaced. */
interface Place {
  worker: WorkerHandle;
  classMb: number;
  timer: NodeJS.Timeout | undefined;
  /** When it last said what it uses, or was first asked to, by `performance.now()`. */
  measuredAt: number;
  /** The job it had when the process was last looked at, and what the process used when that was new. */
  watched: { readonly job: Job; readonly residentBytes: number } | undefined;
}

export function createHostHandle(settings: PoolSettings, classMb: number, events: HostHandleEvents): HostHandle {
  const { onEvent } = settings;
  let isolation: string | undefined;
  let observing = false;
  let retired = false;
  let ending = false;
  /** Set when the process is killed for what it uses. */
  let overMemory = false;

  const host = spawnHostProcess(settings, { onMessage: receive, onClosed });
  const { pid } = host;
  const places: Place[] = [];
  for (let index = 0; index < settings.workersPerHost; index++) openPlace(index, classMb);
  onEvent({ type: 'host_started', pid });

  function openPlace(index: number, classMb: number): void {
    const worker = startWorker(index, classMb);
    if (worker === undefined) return;
    places[index] = { worker, classMb, timer: startTimer(), measuredAt: performance.now(), watched: undefined };
  }

  function startTimer(): NodeJS.Timeout {
    return setTimeout(kill, START_TIMEOUT_MS);
  }

  function startWorker(index: number, classMb: number): WorkerHandle | undefined {
    const taken = host.takeSocket();
    if (taken === undefined) return undefined;
    host.tell({ type: 'start', worker: index, descriptor: taken.descriptor, heapMb: heapLimitMb(classMb) });
    return createWorkerHandle({
      socket: taken.socket,
      classMb,
      store: createProgramStore(settings.programCacheBytes),
      maxPayloadBytes: settings.maxPayloadBytes,
      prepareTimeoutMs: settings.prepareTimeoutMs,
      isolation: () => isolation ?? '',
      onReady() {
        clearTimeout(places[index]?.timer);
        onEvent({ type: 'worker_ready', pid, worker: index });
        void observe();
      },
      onFree() {
        if (retired && busy() === 0) kill();
        else if (isolation !== undefined) events.onFree();
      },
      stop: () => stopWorker(index),
    });
  }

  async function observe(): Promise<void> {
    if (observing) return;
    observing = true;
    isolation = await settings.isolation.observe(pid);
    events.onFree();
  }

  function stopWorker(index: number): void {
    const place = places[index];
    if (place === undefined) return;
    clearTimeout(place.timer);
    place.timer = setTimeout(kill, STOP_GRACE_MS);
    host.tell({ type: 'stop', worker: index });
  }

  function receive(message: FromHost): void {
    if (message.type === 'exited') {
      onWorkerExited(message.worker, message.reason, message.detail);
      return;
    }
    for (const { worker, heapBytes, externalBytes } of message.workers) {
      const place = places[worker];
      if (place === undefined) continue;
      place.measuredAt = performance.now();
      place.worker.sample({ heapBytes, externalBytes });
    }
  }

  function onWorkerExited(index: number, reason: WorkerExit, detail: string): void {
    const place = places[index];
    if (place === undefined || ending) return;
    clearTimeout(place.timer);
    const wasReady = place.worker.isReady();
    const had = place.worker.release();
    had?.job.reject(had.error ?? exitError(reason, had.job));
    onEvent({ type: 'worker_ended', pid, worker: index, cause: reason === 'crashed' ? detail : reason });
    // A worker that cannot even load is no tool's doing: the process is given up, and that is reported and counted.
    if (!wasReady && reason !== 'stopped') {
      startFailure = detail;
      kill();
      return;
    }
    const worker = startWorker(index, place.classMb);
    if (worker === undefined) {
      retire();
      return;
    }
    place.worker = worker;
    place.timer = startTimer();
  }

  let startFailure = '';

  function retire(): void {
    if (!retired) {
      retired = true;
      events.onRetired();
    }
    if (busy() === 0) kill();
  }

  function onClosed(end: HostEnd): void {
    ending = true;
    const lost: Job[] = [];
    const known: Job[] = [];
    for (const place of places) {
      clearTimeout(place.timer);
      const silent = overMemory && performance.now() - place.measuredAt > SILENT_AFTER_MS;
      const had = place.worker.release();
      if (had === undefined) continue;
      if (had.error !== undefined) had.job.reject(had.error);
      else if (silent) known.push(had.job);
      else lost.push(had.job);
    }
    // Only one worker kept silent while memory ran away: it was that one. With more, nobody can tell.
    if (known.length === 1) known[0]?.reject(memoryError(known[0].memoryMb));
    else lost.push(...known);
    const cause = startFailure === '' ? end.cause : `A worker could not start: ${startFailure}`;
    onEvent({ type: 'host_ended', pid, cause, stderr: end.stderr });
    events.onClosed(lost, { ...end, cause, outOfMemory: end.outOfMemory || overMemory });
  }

  function kill(): void {
    ending = true;
    host.kill();
  }

  /**
   * A native operation that fills memory (a large array that V8 keeps collecting garbage for) answers nobody. When the
   * process grew by more than all calls in it may use together, it is the silent one that did it.
   */
  function judgeSilent(residentBytes: number): void {
    const now = performance.now();
    const allowedBytes = places.reduce((sum, { worker }) => sum + (worker.job()?.memoryMb ?? 0), 0) * MIB;
    for (const place of places) {
      const job = place.worker.job();
      if (job === undefined) place.watched = undefined;
      else if (place.watched?.job !== job) {
        place.watched = { job, residentBytes };
        place.measuredAt = now;
      } else if (
        now - place.measuredAt > JUDGED_WITHOUT_WORD_AFTER_MS &&
        residentBytes - place.watched.residentBytes > allowedBytes
      ) {
        place.worker.end(memoryError(job.memoryMb));
      }
    }
  }

  function busy(): number {
    return places.reduce((count, { worker }) => count + (worker.job() === undefined ? 0 : 1), 0);
  }

  return {
    pid,
    workers: () => places.map(({ worker }) => worker),
    hasServed: () => isolation !== undefined,
    isServing: () => isolation !== undefined && !retired && !ending,
    busy,

    classState(classMb) {
      const ofClass = places.filter((place) => place.classMb === classMb);
      if (ofClass.length === 0) return 'none';
      return ofClass.some(({ worker }) => worker.job() === undefined && !worker.isFree()) ? 'coming' : 'there';
    },

    changeClass(worker, classMb) {
      const index = places.findIndex((place) => place.worker === worker);
      const place = places[index];
      if (place === undefined) return;
      place.classMb = classMb;
      worker.retire();
    },

    watchMemory() {
      if (ending || busy() === 0) return;
      const residentBytes = readResidentBytes(pid);
      if (residentBytes > hostLimitMb(places.map((place) => place.classMb)) * MIB) {
        overMemory = true;
        kill();
        return;
      }
      judgeSilent(residentBytes);
      host.tell({ type: 'measure' });
    },

    kill,
  };
}

function exitError(reason: WorkerExit, job: Job): ToolCallError {
  return reason === 'memory' ? memoryError(job.memoryMb) : threadDiedError();
}
