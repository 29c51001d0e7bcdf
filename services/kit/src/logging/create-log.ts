import { pino, stdTimeFunctions } from 'pino';
import type { Log, LogLevel } from './log.ts';
import { maskSecrets } from './mask-secrets.ts';
import { createPrettyStream } from './pretty-stream.ts';

export interface LogOptions {
  /** Which program writes, e.g. `orchestrator`. */
  readonly service: string;
  /** Which of its processes: unique among those that run at one time. */
  readonly instance: string;
  readonly level: LogLevel;
  readonly format: 'json' | 'pretty';
  /** Takes whole lines: standard error in a service. */
  readonly destination: NodeJS.WritableStream;
}

/**
 * The service's root log: one JSON object a line (or text for a terminal), each with `time` (ISO 8601, UTC), `level`,
 * `service`, `instance` and `msg`. Credentials are kept out by field name, and by their looks anywhere in the line.
 */
export function createLog({ service, instance, level, format, destination }: LogOptions): Log {
  return pino(
    {
      level,
      base: { service, instance },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskSecrets },
    },
    format === 'pretty' ? createPrettyStream(destination) : destination,
  );
}
