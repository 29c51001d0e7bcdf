import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseReadyLine, type ReadyLine } from './ready-line.ts';
import type { ServiceLog } from './service-log.ts';
import { PlatformStartError, startFailureReason } from './start-failure.ts';

export interface ServiceSpec {
  readonly service: string;
  /** The service's entry file. */
  readonly main: string;
  readonly cwd: string;
  /** All of it: nothing is added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nodePath: string;
  /** Where its stderr goes; undefined: to ours. */
  readonly log: ServiceLog | undefined;
  /** Aborting ends a start that is under way. */
  readonly signal: AbortSignal;
}

/** A service that has said that it is ready. */
export interface ServiceProcess {
  readonly pid: number;
  readonly ready: ReadyLine;
  /** Resolves when it is gone, to how: `exit code 1`, `SIGKILL`. */
  readonly exited: Promise<string>;
  /** Asks it to end, and kills it when `force` aborts first. Resolves when it is gone. */
  stop(force: AbortSignal): Promise<void>;
}

/** A service reads its files and binds two addresses: a second or two, here multiplied for a loaded machine. */
const READY_DEADLINE_MS = 90_000;
/** What a service gets to end by itself when its start is given up: enough to remove what it had begun to make. */
const GIVE_UP_MS = 5_000;

/**
 * Starts a service and waits for its ready line.
 *
 * The child leads a session of its own, so that a terminal's Ctrl-C reaches us alone and we end the services in
 * order. It holds the far end of a pipe as its stdin and ends when that closes: also when we are killed outright.
 *
 * Rejects with `PlatformStartError` when it ends or stays silent before it is ready, or the signal aborts; nothing is left running then.
 */
export async function startService(spec: ServiceSpec): Promise<ServiceProcess> {
  const { service, log, signal } = spec;
  if (signal.aborted) throw new PlatformStartError(`The start of ${service} was interrupted.`);
  const child = spawn(spec.nodePath, [spec.main], {
    cwd: spec.cwd,
    env: { ...spec.env },
    detached: true,
    stdio: ['pipe', 'pipe', log?.fd ?? 'inherit'],
  });
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, by) => resolve(by ?? `exit code ${code}`));
    child.once('error', (error) => resolve(error.message));
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('spawn was asked for pipes and gave none');
  // The pipe only says that we live; a child that closes its end early is seen by its exit.
  stdin.on('error', () => {});

  const stop = async (force: AbortSignal) => {
    const kill = () => child.kill('SIGKILL');
    child.kill('SIGTERM');
    if (force.aborted) kill();
    else force.addEventListener('abort', kill, { once: true });
    await exited;
    force.removeEventListener('abort', kill);
  };

  const waited = new AbortController();
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(READY_DEADLINE_MS), waited.signal]);
  try {
    const ready = await Promise.race([
      readReady(stdout, service),
      exited.then(async (how) => {
        throw new PlatformStartError(await describeFailure(`${service} did not start`, how, log));
      }),
      aborted(deadline).then(async () => {
        if (signal.aborted) throw new PlatformStartError(`The start of ${service} was interrupted.`);
        throw new PlatformStartError(
          await describeFailure(`${service} did not start`, `it was not ready within ${READY_DEADLINE_MS / 1000} s`, log),
        );
      }),
    ]);
    if (child.pid === undefined) throw new PlatformStartError(`${service} did not start.`);
    return { pid: child.pid, ready, exited, stop };
  } catch (error) {
    await stop(AbortSignal.timeout(GIVE_UP_MS));
    throw error;
  } finally {
    waited.abort();
  }
}

/** Reads stdout up to the ready line and goes on draining it: a service writes its log to stderr. Never rejects. */
function readReady(stdout: NodeJS.ReadableStream, service: string): Promise<ReadyLine> {
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      const ready = parseReadyLine(line);
      if (ready?.service === service) resolve(ready);
    });
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** `what` as a service itself begins its sentence, so that it is said once. */
async function describeFailure(what: string, how: string, log: ServiceLog | undefined): Promise<string> {
  if (log === undefined) return `${what} (${how}); its output is above.`;
  const reason = startFailureReason(await log.tail());
  if (reason.startsWith(what)) return reason;
  return reason === '' ? `${what} (${how}) and wrote nothing.` : `${what} (${how}):\n${reason}`;
}
