/** What a service says on stdout, once, when it takes calls: its addresses as bound, a port of 0 filled in. */
export interface ReadyLine {
  readonly service: string;
  /** gRPC: `host:port` or `unix:/path`. */
  readonly listen: string;
  /** HTTP: `host:port`. */
  readonly http: string;
}

/** The ready line, or undefined when `line` is anything else that a program may print. */
export function parseReadyLine(line: string): ReadyLine | undefined {
  if (!line.startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('ready' in value) || value.ready !== true) return undefined;
  const { service, listen, http } = value as Record<string, unknown>;
  if (typeof service !== 'string' || typeof listen !== 'string' || typeof http !== 'string') return undefined;
  return { service, listen, http };
}
