/**
 * One entry of a tool's `net:` list, `METHODS scheme://pattern[:port]`, e.g. `GET,HEAD https://*.qweather.com`.
 * `*.` at the beginning of a pattern stands for one name or more, never for the bare domain.
 */
export interface NetPattern {
  readonly methods: readonly string[];
  readonly scheme: 'http' | 'https';
  /** Lower case, IDN in ASCII. */
  readonly host: string;
  readonly port: number;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Methods that do not change anything (RFC 9110 §9.2.1). */
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const DEFAULT_PORTS = { http: 80, https: 443 } as const;
const ENTRY = /^([A-Za-z]+(?:,[A-Za-z]+)*) +(https?):\/\/(\*\.)?([^\s/?#@:[\]%*\\]+)(?::(\d{1,5}))?\/?$/;
/** A host name in ASCII: at least two labels, the last one not a number (that would be an IP address). */
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/;

/** Undefined when the text is no such entry: another method, no host name, an IP address, a path, user-info. */
export function parseNetPattern(text: string): NetPattern | undefined {
  const [, written, scheme, wildcard = '', name = '', port] = ENTRY.exec(text) ?? [];
  if (written === undefined || (scheme !== 'http' && scheme !== 'https')) return undefined;
  const methods = [...new Set(written.toUpperCase().split(','))].sort();
  const host = asciiHost(name);
  const number = port === undefined ? DEFAULT_PORTS[scheme] : Number(port);
  if (host === undefined || methods.some((method) => !METHODS.has(method)) || number < 1 || number > 65_535) return undefined;
  return { methods, scheme, host: wildcard + host, port: number };
}

/** The one form in which an entry stands in tokens and listings: methods sorted, port always there. */
export function formatNetPattern({ methods, scheme, host, port }: NetPattern): string {
  return `${methods.join(',')} ${scheme}://${host}:${port}`;
}

/**
 * Whether a `readonly` tool may list it: reading methods anywhere it says, others only when they are named for one exact
 * host (DESIGN §3, "unless listed by method and host").
 */
export function keepsReadonlyPromise({ methods, host }: NetPattern): boolean {
  return !host.startsWith('*.') || methods.every((method) => READING_METHODS.has(method));
}

/** As browsers do it: IDN to ASCII, lower case, and every way to write an IPv4 address made visible as one. */
function asciiHost(name: string): string | undefined {
  let host: string;
  try {
    host = new URL(`https://${name.endsWith('.') ? name.slice(0, -1) : name}/`).hostname;
  } catch {
    return undefined;
  }
  return HOST.test(host) ? host : undefined;
}
