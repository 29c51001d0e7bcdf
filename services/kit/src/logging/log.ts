export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** An error goes under `err`, a call's id under `invocation_id`. Names in snake_case, units in the name (`run_ms`). */
export type LogFields = Readonly<Record<string, unknown>>;

/** What domain code logs with. The message is constant text; everything that varies is a field. */
export type Log = Readonly<Record<LogLevel, (fields: LogFields, message: string) => void>> & {
  /** A log whose lines carry these fields too, e.g. `{ invocation_id }`. */
  child(fields: LogFields): Log;
};

const nothing = (): void => undefined;

/** Says nothing: for code that is used without a service around it. */
export const silentLog: Log = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  child: () => silentLog,
};
