import { join, resolve } from 'node:path';
import { createTemporaryDataDir, type DataDir, openDataDir } from './data-dir.ts';
import type { ReadyLine } from './ready-line.ts';
import { type Environment, ephemeralAddresses, serviceEnvironment, shortSocket, userPlugins } from './service-environment.ts';
import { PlatformStartError } from './start-failure.ts';
import { type SupervisedService, superviseService } from './supervised-service.ts';

export interface PlatformOptions {
  /** The folder that holds `services/` and `configs/`. */
  readonly root: string;
  /** The Node that runs the services. */
  readonly nodePath: string;
  /** What the services inherit; their configuration may be in it, as YUANBOT_ variables. */
  readonly env: Environment;
  /** Set over `env` for the services: configuration of this platform alone. */
  readonly overrides?: Environment;
  /** Where state is kept. Default: YUANBOT_DATA, or `data` in the root. Not used by an ephemeral platform. */
  readonly dataDir?: string | undefined;
  /** A temporary data folder, but for the user's plugins, and addresses that clash with no other platform. Default: false. */
  readonly ephemeral?: boolean;
  /** Start a service again when it dies. Default: false. */
  readonly restart?: boolean;
  /** `file`: to `logs/` in the data folder (default). `inherit`: to our stderr. */
  readonly logs?: 'file' | 'inherit';
  /** Sentences for a person who waits. */
  readonly onProgress?: (sentence: string) => void;
  /** Aborting ends a start that is under way. */
  readonly signal?: AbortSignal;
}

/** Both services, running. `await using` ends them. */
export interface Platform extends AsyncDisposable {
  readonly dataDir: string;
  readonly orchestrator: RunningService;
  readonly sandboxManager: RunningService;
  /** Resolves with a sentence when a service is gone for good; not for one that `restart` brings back. */
  readonly lost: Promise<string>;
  /** Ends both, the orchestrator first, and waits for them: `STOP_DEADLINE_MS`, or until `force` aborts, then kills. */
  stop(force?: AbortSignal): Promise<void>;
}

export interface RunningService {
  /** gRPC: `host:port` or `unix:/path`. */
  readonly listen: string;
  /** HTTP: `host:port`. */
  readonly http: string;
  pid(): number;
}

/** Twice the services' own default deadline for calls in flight (`drain_timeout`) and more: a kill only meets one that hangs. */
const STOP_DEADLINE_MS = 45_000;

/**
 * Starts the sandbox-manager and the orchestrator as child processes and resolves when both take calls.
 *
 * Rejects with `PlatformStartError`, whose message says which service did not start and why; nothing is left running
 * then, and nothing of a temporary folder.
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { root, ephemeral = false, signal = new AbortController().signal, onProgress = () => {} } = options;
  const data = await openData(options);
  const surroundings = ephemeral
    ? { ...ephemeralAddresses(data), ...userPlugins(persistentPath(options), options.env) }
    : shortSocket(data, options.env);
  const overrides = { ...surroundings, ...options.overrides };
  const running: SupervisedService[] = [];

  const start = async (service: string, prefix: string, more: Environment) => {
    onProgress(`Starting ${service} …`);
    const started = await superviseService(
      {
        service,
        main: join(root, 'services', service, 'src/main.ts'),
        cwd: root,
        nodePath: options.nodePath,
        env: serviceEnvironment(options.env, data.path, { ...overrides, ...more }),
        logs: options.logs === 'inherit' ? undefined : join(data.path, 'logs'),
        restart: options.restart ?? false,
        pinned: (ready) => addressVariables(prefix, ready),
        onProgress,
      },
      signal,
    );
    running.push(started);
    return started;
  };

  const stop = async (force: AbortSignal) => {
    const hard = AbortSignal.any([force, AbortSignal.timeout(STOP_DEADLINE_MS)]);
    for (const service of running.toReversed()) await service.stop(hard);
    await data.dispose();
  };

  try {
    // Loaded here: a command that starts no platform has no use for it, and starts without it sooner.
    const { ensureKeys } = await import('@yuanbot/kit/token');
    await ensureKeys(data.path);
    const manager = await start('sandbox-manager', MANAGER, {});
    const orchestrator = await start('orchestrator', ORCHESTRATOR, addressVariables(MANAGER, manager.ready));
    let stopped: Promise<void> | undefined;
    const stopOnce = (force = new AbortController().signal) => (stopped ??= stop(force));
    return {
      dataDir: data.path,
      orchestrator: { ...addressesOf(orchestrator.ready), pid: orchestrator.pid },
      sandboxManager: { ...addressesOf(manager.ready), pid: manager.pid },
      lost: Promise.race(running.map(({ lost }) => lost)),
      stop: stopOnce,
      [Symbol.asyncDispose]: () => stopOnce(),
    };
  } catch (error) {
    await stop(new AbortController().signal);
    throw asStartError(error, data.path);
  }
}

function persistentPath({ root, dataDir, env }: PlatformOptions): string {
  return resolve(root, dataDir ?? env['YUANBOT_DATA'] ?? 'data');
}

async function openData(options: PlatformOptions): Promise<DataDir> {
  if (options.ephemeral) return createTemporaryDataDir();
  const path = persistentPath(options);
  try {
    return await openDataDir(path);
  } catch (error) {
    throw asStartError(error, path);
  }
}

/** A failure of the file system is the starter's to mend: a sentence with the folder. Any other stays what it is. */
function asStartError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error;
  return new PlatformStartError(`The platform cannot use its data folder ${path}: ${error.message}`, { cause: error });
}

/** Prefixes of the variables that carry a service's addresses. */
const MANAGER = 'YUANBOT_SANDBOX_MANAGER';
const ORCHESTRATOR = 'YUANBOT_ORCHESTRATOR';

function addressVariables(prefix: string, { listen, http }: ReadyLine): Environment {
  return { [`${prefix}__LISTEN`]: listen, [`${prefix}__HTTP`]: http };
}

function addressesOf({ listen, http }: ReadyLine) {
  return { listen, http };
}
