import { fd_read, fd_write, proc_exit } from './wasi_snapshot_preview1';

export const STDOUT: i32 = 1;
export const STDERR: i32 = 2;

/** One read; the input grows in steps of this. */
const CHUNK_BYTES: i32 = 64 * 1024;

/** sysexits.h EX_IOERR. */
const EXIT_IO: i32 = 74;

// An iovec (address, length) and, behind it, where the host puts the count of bytes moved.
const IOVEC: usize = memory.data(12);
const MOVED: usize = IOVEC + 8;

/** Everything on stdin, as text. */
export function readAll(): string {
  let buffer = new StaticArray<u8>(CHUNK_BYTES);
  let length = 0;
  while (true) {
    if (buffer.length - length < CHUNK_BYTES) {
      const grown = new StaticArray<u8>(buffer.length * 2);
      memory.copy(changetype<usize>(grown), changetype<usize>(buffer), length);
      buffer = grown;
    }
    const moved = transfer(false, 0, changetype<usize>(buffer) + length, buffer.length - length);
    if (moved === 0) return String.UTF8.decodeUnsafe(changetype<usize>(buffer), length);
    length += moved;
  }
}

/** Writes all of `text`, as UTF-8. */
export function writeAll(fd: i32, text: string): void {
  const bytes = String.UTF8.encode(text);
  for (let written = 0; written < bytes.byteLength; ) {
    written += transfer(true, fd, changetype<usize>(bytes) + written, bytes.byteLength - written);
  }
}

function transfer(write: bool, fd: i32, address: usize, length: i32): i32 {
  store<u32>(IOVEC, <u32>address);
  store<u32>(IOVEC, <u32>length, 4);
  const error = write ? fd_write(fd, IOVEC, 1, MOVED) : fd_read(fd, IOVEC, 1, MOVED);
  if (error !== 0) proc_exit(EXIT_IO);
  return load<i32>(MOVED);
}
