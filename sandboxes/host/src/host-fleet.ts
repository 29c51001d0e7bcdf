import type { ToolCallError } from '@yuanbot/contract';
import { createHostHandle, type HostHandle } from './host-handle.ts';
import type { Job } from './job.ts';
import { memoryClassMb } from './memory-class.ts';
import type { PoolSettings } from './options.ts';

/** The host processes of a pool: kept at their number, replaced when they die. */
export interface HostFleet {
  hosts(): Iterable<HostHandle>;
  counts(): { readonly warm: number; readonly busy: number };
  /** Why no process comes up, after several tries; undefined while there is one, or hope for one. */
  outage(): string | undefined;
  /** Resolves once a process was up or failed to come up, or the fleet is closed. */
  firstNews(): Promise<void>;
  /** What isolation is seen around a running process now; with the reason when there is none. */
  observe(): Promise<{ readonly isolation: string; readonly reason: string }>;
  /** Ends all processes; jobs that they have are rejected with `error` when they are gone. */
  close(error: ToolCallError): Promise<void>;
}

export interface HostFleetEvents {
  /** A worker is free, a process is up or gone: look again who can take what. */
  onChange(): void;
  /** A process died with these jobs, none of which is known to be the cause. */
  onLost(jobs: readonly Job[], outOfMemory: boolean): void;
}

/** The first pause before another try, in ms; each further one is twice as long. A wrong path must not become a loop of spawns. */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
/** Failed starts in a row after which calls are refused instead of kept waiting. */
const FAILURES_BEFORE_OUTAGE = 3;

export function createHostFleet(settings: PoolSettings, events: HostFleetEvents): HostFleet {
  const hosts = new Set<HostHandle>();
  const news = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let failuresInARow = 0;
  let lastFailure = '';
  let retry: NodeJS.Timeout | undefined;
  let closing: ToolCallError | undefined;

  function start(): void {
    const host = createHostHandle(settings, memoryClassMb(settings.defaultMemoryMb), {
      onFree() {
        failuresInARow = 0;
        news.resolve();
        events.onChange();
      },
      // The replacement starts while the old process still finishes its calls.
      onRetired: fill,
      onClosed(lost, end) {
        hosts.delete(host);
        if (closing !== undefined) {
          for (const job of lost) job.reject(closing);
          if (hosts.size === 0) gone.resolve();
          return;
        }
        if (!host.hasServed()) onFailedStart(`${end.cause} ${lastLine(end.stderr)}`.trim());
        events.onLost(lost, end.outOfMemory);
        fill();
        events.onChange();
      },
    });
    hosts.add(host);
  }

  function onFailedStart(reason: string): void {
    failuresInARow++;
    lastFailure = reason;
    news.resolve();
  }

  /** Brings the number of processes that serve, or will, to what it should be. */
  function fill(): void {
    if (closing !== undefined || retry !== undefined) return;
    if (failuresInARow > 0) {
      const pause = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failuresInARow - 1));
      retry = setTimeout(() => {
        retry = undefined;
        startMissing();
      }, pause);
      return;
    }
    startMissing();
  }

  function startMissing(): void {
    const useful = [...hosts].filter((host) => host.isServing() || !host.hasServed()).length;
    for (let missing = settings.hosts - useful; missing > 0; missing--) start();
  }

  function hasServing(): boolean {
    return [...hosts].some((host) => host.isServing());
  }

  startMissing();

  return {
    hosts: () => hosts,

    counts() {
      let warm = 0;
      let busy = 0;
      for (const host of hosts) {
        busy += host.busy();
        if (host.isServing()) warm += host.workers().filter((worker) => worker.isFree()).length;
      }
      return { warm, busy };
    },

    outage: () => (failuresInARow >= FAILURES_BEFORE_OUTAGE && !hasServing() ? lastFailure : undefined),
    firstNews: () => news.promise,

    async observe() {
      for (const host of hosts) {
        if (!host.isServing()) continue;
        const isolation = await settings.isolation.observe(host.pid);
        if (isolation !== '') return { isolation, reason: '' };
      }
      const cause = closing !== undefined ? 'It is shut down.' : lastFailure || 'Its processes are being started anew.';
      return { isolation: '', reason: `The ${settings.kind} sandbox has no running host process. ${cause}` };
    },

    async close(error) {
      closing ??= error;
      clearTimeout(retry);
      news.resolve();
      if (hosts.size === 0) gone.resolve();
      for (const host of hosts) host.kill();
      await gone.promise;
    },
  };
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
