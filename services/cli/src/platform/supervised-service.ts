import { setTimeout as pause } from 'node:timers/promises';
import type { ReadyLine } from './ready-line.ts';
import { createRestartDelay } from './restart-delay.ts';
import type { Environment } from './service-environment.ts';
import { openServiceLog, type ServiceLog } from './service-log.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import { PlatformStartError } from './start-failure.ts';

export interface SupervisedSpec {
  readonly service: string;
  readonly main: string;
  readonly cwd: string;
  readonly nodePath: string;
  readonly env: Environment;
  /** Folder of the log; undefined: the service's log goes to our stderr. */
  readonly logs: string | undefined;
  /** Whether to start it again when it dies. */
  readonly restart: boolean;
  /** The variables that pin the addresses of a running service, so that a restarted one has the same. */
  pinned(ready: ReadyLine): Environment;
  /** A sentence for the person who watches. */
  onProgress(sentence: string): void;
}

/** A service that is kept running until it is stopped. */
export interface SupervisedService {
  readonly ready: ReadyLine;
  /** The pid of the process that runs now. */
  pid(): number;
  /** Resolves with a sentence when the service is gone for good without `stop`; never when it is restarted. */
  readonly lost: Promise<string>;
  /** Ends it, and kills it when `force` aborts first. Resolves when nothing of it is left. */
  stop(force: AbortSignal): Promise<void>;
}

/** Rejects with `PlatformStartError` when the first start fails or `signal` aborts during it. */
export async function superviseService(spec: SupervisedSpec, signal: AbortSignal): Promise<SupervisedService> {
  const log = spec.logs === undefined ? undefined : await openServiceLog(spec.logs, spec.service);
  const start = (env: Environment, within: AbortSignal) => startService({ ...spec, env, log, signal: within });
  let current: ServiceProcess;
  try {
    current = await start(spec.env, signal);
  } catch (error) {
    await log?.close();
    throw error;
  }
  const { ready } = current;
  const env = { ...spec.env, ...spec.pinned(ready) };
  const stopping = new AbortController();
  const lost = Promise.withResolvers<string>();

  const keep = async () => {
    const delay = createRestartDelay();
    while (true) {
      const since = performance.now();
      const how = await current.exited;
      if (stopping.signal.aborted) return;
      if (!spec.restart) return lost.resolve(`${spec.service} ended (${how})${seeLog(log)}.`);
      spec.onProgress(`${spec.service} ended (${how})${seeLog(log)}; it is started again.`);
      const next = await startAgain(delay.next(performance.now() - since));
      if (next === undefined) return;
      current = next;
      spec.onProgress(`${spec.service} runs again.`);
    }

    async function startAgain(firstPauseMs: number): Promise<ServiceProcess | undefined> {
      for (let pauseMs = firstPauseMs; ; pauseMs = delay.next(0)) {
        try {
          await pause(pauseMs, undefined, { signal: stopping.signal });
          return await start(env, stopping.signal);
        } catch (error) {
          if (stopping.signal.aborted) return undefined;
          if (!(error instanceof PlatformStartError)) throw error;
          spec.onProgress(error.message);
        }
      }
    }
  };
  const kept = keep().catch((error: unknown) => lost.resolve(`${spec.service} cannot be started again: ${String(error)}`));

  return {
    ready,
    pid: () => current.pid,
    lost: lost.promise,
    async stop(force) {
      stopping.abort();
      await current.stop(force);
      await kept;
      await log?.close();
    },
  };
}

function seeLog(log: ServiceLog | undefined): string {
  return log === undefined ? '' : `, see ${log.file}`;
}
