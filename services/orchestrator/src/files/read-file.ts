import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { PluginFileError } from '../registry/plugin-files.ts';
import { isMissing, unreadable } from './inside-root.ts';

/** O_NONBLOCK: opening a named pipe must not wait for a writer. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Bytes of the regular file at a real path, at most `maxBytes`; undefined when it is gone. `shown` is the path for
 * messages.
 *
 * Synchronous on purpose: reading a small local file takes some 20 µs, its four trips through the thread pool take
 * several times that, and a scan reads tens of thousands. The registry lets other work in between plugins.
 */
export function readRegularFile(
  real: string,
  shown: string,
  maxBytes: number,
): { bytes: Buffer; executable: boolean } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(real, OPEN_FLAGS);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(shown, error);
  }
  try {
    const { size, mode } = regularFile(descriptor, shown);
    if (size > maxBytes) throw tooLarge(shown, maxBytes);
    // One byte more than expected shows a file that grew meanwhile.
    const buffer = Buffer.allocUnsafe(size + 1);
    const length = fill(descriptor, buffer, shown);
    if (length > size)
      throw new PluginFileError(`\`${shown}\` changes while it is read.`, 'Write it elsewhere and rename it into place.');
    return { bytes: buffer.subarray(0, length), executable: (mode & 0o111) !== 0 };
  } finally {
    closeSync(descriptor);
  }
}

function regularFile(descriptor: number, shown: string): { size: number; mode: number } {
  const stat = fstatSync(descriptor);
  if (!stat.isFile()) {
    throw new PluginFileError(`\`${shown}\` is not a regular file.`, 'Replace it by a regular file.');
  }
  return stat;
}

function fill(descriptor: number, buffer: Buffer, shown: string): number {
  let length = 0;
  try {
    while (length < buffer.length) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, null);
      if (read === 0) break;
      length += read;
    }
  } catch (error) {
    throw unreadable(shown, error);
  }
  return length;
}

function tooLarge(shown: string, maxBytes: number): PluginFileError {
  return new PluginFileError(`\`${shown}\` is larger than ${maxBytes} bytes.`, 'Make it smaller, or split it.');
}
