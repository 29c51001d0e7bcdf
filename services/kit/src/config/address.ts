import { BlockList, isIP } from 'node:net';
import { posix } from 'node:path';

/** Where a server listens or a client connects. */
export type Address =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string };

/** A text that is not an address; the message says what to write. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** What Linux can hold of a socket path: 108 bytes with the closing NUL (unix(7)). */
const MAX_SOCKET_PATH_BYTES = 107;

const PORT = /^\d{1,5}$/;
/** Labels of letters, digits and inner hyphens; the last starts with a letter, so `127.1` and `0x7f.1` are no names. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Reads `host:port`, `[IPv6]:port` or `unix:/path`. A relative unix path is taken in `socketDir`.
 * Port 0 lets the system choose. Throws `AddressError`.
 */
export function parseAddress(text: string, socketDir: string): Address {
  return text.startsWith('unix:') ? parseUnix(text.slice('unix:'.length), socketDir) : parseTcp(text);
}

function parseUnix(written: string, socketDir: string): Address {
  if (written === '') throw new AddressError('has no path after unix:; write unix:/path/to.sock');
  if (/\p{Cc}/u.test(written) || written.startsWith('@')) {
    throw new AddressError('is not a path in the file system; write unix:/path/to.sock');
  }
  const path = posix.resolve(socketDir, written.replace(/^\/+/, '/'));
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) {
    throw new AddressError(
      `is too long for a socket (${path} has ${Buffer.byteLength(path)} bytes, at most ${MAX_SOCKET_PATH_BYTES} fit); write a shorter path`,
    );
  }
  return { kind: 'unix', path };
}

function parseTcp(text: string): Address {
  const colon = text.lastIndexOf(':');
  const port = text.slice(colon + 1);
  if (colon < 1 || !PORT.test(port) || Number(port) > 65535) {
    throw new AddressError('is not an address; write host:port (port 0 to 65535), [IPv6]:port or unix:/path');
  }
  return { kind: 'tcp', host: parseHost(text.slice(0, colon)), port: Number(port) };
}

function parseHost(written: string): string {
  if (written.startsWith('[') && written.endsWith(']')) {
    const inner = written.slice(1, -1);
    if (isIP(inner) === 6 && !inner.includes('%')) return inner;
  } else if (isIP(written) === 4 || HOST_NAME.test(written)) {
    return written.toLowerCase();
  }
  throw new AddressError('has no valid host; write a host name, an IPv4 address in four parts, or an IPv6 address in brackets');
}

/** The text that `parseAddress` reads back; also what grpc-js takes as a target and a bind address. */
export function formatAddress(address: Address): string {
  if (address.kind === 'unix') return `unix:${address.path}`;
  return `${isIP(address.host) === 6 ? `[${address.host}]` : address.host}:${address.port}`;
}

/** Whether only this machine can reach it: a unix socket, 127.0.0.0/8, ::1 or `localhost`. Any other name is not. */
export function isLocalAddress(address: Address): boolean {
  if (address.kind === 'unix' || address.host === 'localhost') return true;
  const family = isIP(address.host);
  return family !== 0 && LOOPBACK.check(address.host, family === 6 ? 'ipv6' : 'ipv4');
}
