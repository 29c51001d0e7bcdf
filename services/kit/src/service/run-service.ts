import { randomUUID } from 'node:crypto';
import { type Config, ConfigError, loadConfig } from '../config/index.ts';
import {
  createLifecycle,
  installSignalHandlers,
  type Lifecycle,
  type ProcessLike,
  type ShutdownReport,
  systemTimer,
} from '../lifecycle/index.ts';
import { createLog, type Log } from '../logging/index.ts';

/** How long everything that was opened may take to close after the drain, in ms: the last containers are removed in it. */
const CLOSE_MS = 10_000;

/** What a service's entry hands over of its process: the one place that reads it. */
export interface ServiceProcess extends ProcessLike {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly pid: number;
  cwd(): string;
  readFile(path: string): Promise<string>;
  readonly cores: number;
  onCrash(listener: (error: unknown) => void): void;
}

export interface ServiceContext {
  readonly config: Config;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  /** Unique among the processes of this service that run at one time. */
  readonly instance: string;
}

/** Where a service listens, as bound: port 0 resolved. */
export interface ServiceEndpoints {
  readonly listen: string;
  readonly http: string;
}

export interface ServiceDefinition {
  readonly name: string;
  readonly drainMs: (config: Config) => number;
  /** Opens everything and resolves when calls are taken. What it opens it registers with `lifecycle.onClose`. */
  start(context: ServiceContext): Promise<ServiceEndpoints>;
}

/**
 * The life of a service's process: configuration, log, start, one ready line on stdout (JSON, with the addresses), and on
 * SIGTERM, SIGINT, or the end of a supervisor's pipe, drain and close. A start that fails ends with code 1 and one
 * sentence on stderr; a crash ends with code 70 after its log line: whoever supervises the process starts it again.
 */
export async function runService({ name, drainMs, start }: ServiceDefinition, process: ServiceProcess): Promise<void> {
  const { YUANBOT_SUPERVISED: supervised, ...env } = process.env;
  const lifecycle = createLifecycle({ timer: systemTimer });
  const instance = `${name}-${process.pid}-${randomUUID().slice(0, 8)}`;
  let log: Log | undefined;
  try {
    const config = await loadConfig({ env, cwd: process.cwd(), cores: process.cores, readFile: process.readFile });
    const serviceLog = createLog({ service: name, instance, ...config.log, destination: process.stderr });
    log = serviceLog;
    process.onCrash((error) => {
      serviceLog.fatal({ err: error }, 'the service crashed');
      process.exit(EXIT_CRASHED);
    });
    const deadlines = { drainMs: drainMs(config), closeMs: CLOSE_MS };
    const stopped = ({ failures, ...report }: ShutdownReport) => {
      for (const { name: part, error } of failures) serviceLog.error({ err: error, part }, 'a part of the service did not close');
      serviceLog.info(report, report.clean ? 'stopped' : 'stopped, not cleanly');
    };
    installSignalHandlers({ process, lifecycle, deadlines, onStopped: stopped });
    if (supervised === '1') {
      process.stdin.on('end', () => {
        serviceLog.warn({}, 'the supervisor is gone; shutting down');
        void lifecycle.shutdown(deadlines).then((report) => {
          stopped(report);
          process.exit(report.clean ? 0 : 1);
        });
      });
      process.stdin.resume();
    }
    const endpoints = await start({ config, log: serviceLog, lifecycle, instance });
    lifecycle.started();
    serviceLog.info({ ...endpoints }, 'ready');
    process.stdout.write(`${JSON.stringify({ ready: true, service: name, ...endpoints })}\n`);
  } catch (error) {
    process.stderr.write(`${name} did not start: ${startFailure(error)}\n`);
    log?.debug({ err: error }, 'the start failed');
    await lifecycle.shutdown({ drainMs: 0, closeMs: CLOSE_MS });
    process.exit(1);
  }
}

/** EX_SOFTWARE of sysexits.h. */
const EXIT_CRASHED = 70;

/** One sentence for the operator; the stack is in the log at level debug. */
function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // grpc-js wraps the code in its text.
  if (error.message.includes('EADDRINUSE')) {
    return `${error.message}. Another program listens there, perhaps this platform already; end it, or change the address in configs/bot.yaml.`;
  }
  return error.message;
}
