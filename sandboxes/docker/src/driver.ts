import { asToolCallError, type SandboxDriver, type SandboxStatus } from '@yuanbot/contract';
import { createCalls } from './calls.ts';
import { openEngine } from './engine.ts';
import { createEngineWatch } from './engine-watch.ts';
import { createImages } from './image.ts';
import type { Log } from './log.ts';
import { type ManagerIdentity, readStartTime } from './manager-identity.ts';
import { runOneshot } from './oneshot-call.ts';
import { orAbort } from './or-abort.ts';
import { sweepOrphans } from './orphans.ts';
import { createPlaces } from './places.ts';
import { createRemovals } from './removals.ts';
import { assertSupported } from './supported.ts';
import { createToolImages } from './tool-images.ts';

export interface DockerDriverOptions {
  /** The unix socket of the engine (bot.yaml `capabilities.sandbox.docker.socket`). */
  readonly socketPath: string;
  /** Whose the containers are: `readManagerIdentity(instanceId, process.pid)`. */
  readonly manager: ManagerIdentity;
  readonly log?: Log;
  /** Containers at once. */
  readonly maxContainers?: number;
  /** Calls that may wait for a container; one more is ERR_POOL_EXHAUSTED. */
  readonly maxQueued?: number;
  /** How long a container may take to start, in ms. */
  readonly startLimitMs?: number;
  /** How long an image may take to build, in ms. */
  readonly buildLimitMs?: number;
  /** Memory a build's RUN step may use, in MiB. */
  readonly buildMemoryMb?: number;
  /** Whether a build's RUN steps may reach the network. */
  readonly buildNetwork?: boolean;
  /** The largest build context, in bytes. */
  readonly maxContextBytes?: number;
  /** Images built from tools' own files that are kept though no tool has used them for a day. */
  readonly toolImagesKept?: number;
  /** Time between two looks for orphans and for unused images, in ms. */
  readonly sweepEveryMs?: number;
}

export interface DockerDriver extends SandboxDriver {
  describe(): Promise<DockerStatus>;
  /**
   * Removes the containers of managers that are no more (the rule: `isOrphan`); resolves to how many.
   * Runs by itself at the start and on a timer. Rejects with ERR_SANDBOX_UNAVAILABLE.
   */
  sweepOrphans(): Promise<number>;
}

export interface DockerStatus extends SandboxStatus {
  /** Empty when not available. */
  readonly engineVersion: string;
}

const DEFAULTS = {
  maxContainers: 16,
  maxQueued: 256,
  /** A start costs 0.3–0.5 s; 16 at once on two busy cores take 17 s. */
  startLimitMs: 30_000,
  buildLimitMs: 300_000,
  buildMemoryMb: 1024,
  buildNetwork: false,
  /** 64 MiB: sources, not data sets. */
  maxContextBytes: 64 * 1024 * 1024,
  toolImagesKept: 50,
  sweepEveryMs: 300_000,
};

/**
 * Runs tools in containers of one Docker engine. The `oneshot` protocol: a container for each line,
 * started fresh and removed after. The engine may come and go: nothing here fails for good.
 */
export function createDockerDriver(options: DockerDriverOptions): DockerDriver {
  const settings = { ...DEFAULTS, ...options };
  const { socketPath, manager, maxContainers, maxQueued, startLimitMs, buildLimitMs, maxContextBytes, sweepEveryMs } = settings;
  const log = options.log ?? (() => undefined);
  const engine = openEngine(socketPath);
  const engineWatch = createEngineWatch(engine);
  const toolImages = createToolImages(engine, settings.toolImagesKept, log);
  const images = createImages(engine, toolImages, {
    maxContextBytes,
    buildLimitMs,
    memoryMb: settings.buildMemoryMb,
    network: settings.buildNetwork,
  });
  const places = createPlaces(maxContainers, maxQueued);
  const removals = createRemovals(engine, log);
  const calls = createCalls(log);
  const workshop = { engine, engineWatch, images, places, removals, manager, startLimitMs };

  async function sweep(): Promise<number> {
    const swept = await sweepOrphans(engine, manager, readStartTime, removals);
    await removals.retry();
    if (swept > 0) log('info', 'removed containers of managers that are no more', { swept });
    return swept;
  }

  async function sweepByItself(): Promise<void> {
    try {
      await calls.track(undefined, (signal) => orAbort(sweep(), signal));
    } catch (error) {
      log('debug', 'no look for orphaned containers', { error });
    }
  }

  // Not at the start: until the tools are loaded, none of their images looks used.
  async function removeUnusedImages(): Promise<void> {
    try {
      await calls.track(undefined, (signal) => orAbort(toolImages.removeUnused(), signal));
    } catch (error) {
      log('debug', 'no look for unused images', { error });
    }
  }

  void sweepByItself();
  const sweeping = setInterval(() => {
    void sweepByItself();
    void removeUnusedImages();
  }, sweepEveryMs);
  sweeping.unref();

  return {
    kind: 'docker',

    async describe() {
      const counts = { kind: 'docker', warm: 0, busy: places.busy, capacity: maxContainers } as const;
      try {
        const { version, runtime } = await engineWatch.look();
        return { ...counts, available: true, isolation: runtime, reason: '', engineVersion: version };
      } catch (error) {
        return { ...counts, available: false, isolation: '', reason: asToolCallError(error).message, engineVersion: '' };
      }
    },

    prepare: (executable, callerSignal) =>
      calls.track(callerSignal, async (signal) => {
        assertSupported(executable.descriptor);
        await orAbort(Promise.all([engineWatch.facts(), images.resolve(executable, signal)]), signal);
      }),

    run: (execution) => calls.track(execution.signal, (signal) => runOneshot(workshop, execution, signal)),

    sweepOrphans: () => calls.track(undefined, (signal) => orAbort(sweep(), signal)),

    async close() {
      clearInterval(sweeping);
      await calls.close();
      await removals.settled();
    },
  };
}
