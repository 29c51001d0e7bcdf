// The echo as a WASI command, in AssemblyScript: reads the envelope, answers with its `params`, byte for byte. Compiled
// when the bench starts; not a TypeScript file of ours in any other respect.

// @ts-nocheck
@external("wasi_snapshot_preview1", "fd_read")
declare function fd_read(fd: i32, iovs: usize, count: i32, read: usize): i32;
@external("wasi_snapshot_preview1", "fd_write")
declare function fd_write(fd: i32, iovs: usize, count: i32, written: usize): i32;

const CAPACITY: i32 = 65536;
const input = memory.data(65536);
const output = memory.data(65600);
const iov = memory.data(8, 4);
const count = memory.data(4, 4);
const HEAD = memory.data<u8>([0x7b, 0x22, 0x74, 0x79, 0x70, 0x65, 0x22, 0x3a, 0x22, 0x72, 0x65, 0x73, 0x75, 0x6c, 0x74, 0x22, 0x2c, 0x22, 0x63, 0x6f, 0x6e, 0x74, 0x65, 0x6e, 0x74, 0x22, 0x3a]);
const HEAD_LENGTH: i32 = 27;
/** Length of `{"params":`. */
const START: i32 = 10;

export function _start(): void {
  let length = 0;
  while (length < CAPACITY) {
    store<u32>(iov, input + length);
    store<u32>(iov, CAPACITY - length, 4);
    if (fd_read(0, iov, 1, count) != 0) return;
    const read = load<u32>(count);
    if (read == 0) break;
    length += read;
  }
  let depth = 0;
  let inString = false;
  let end = START;
  while (end < length) {
    const c = load<u8>(input + end++);
    if (inString) {
      if (c == 0x5c) end++;
      else if (c == 0x22) inString = false;
    } else if (c == 0x22) inString = true;
    else if (c == 0x7b) depth++;
    else if (c == 0x7d && --depth == 0) break;
  }
  memory.copy(output, HEAD, HEAD_LENGTH);
  memory.copy(output + HEAD_LENGTH, input + START, end - START);
  const size = HEAD_LENGTH + end - START;
  store<u8>(output + size, 0x7d);
  store<u8>(output + size + 1, 0x0a);
  store<u32>(iov, output);
  store<u32>(iov, size + 2, 4);
  fd_write(1, iov, 1, count);
}
