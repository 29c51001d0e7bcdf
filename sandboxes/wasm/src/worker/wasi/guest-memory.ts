import { ERRNO } from './abi.ts';
import { WasiError } from './wasi-error.ts';

/**
 * The module's memory as its WASI functions use it. Pointers and lengths come from the module: they are taken as
 * unsigned 32-bit numbers, checked against the memory as it is now, and answered with EFAULT when they leave it.
 */
export interface GuestMemory {
  /** A view, not a copy: valid until the module runs again. */
  bytes(pointer: number, length: number): Uint8Array;
  u8(pointer: number): number;
  u16(pointer: number): number;
  u32(pointer: number): number;
  u64(pointer: number): bigint;
  setU8(pointer: number, value: number): void;
  setU16(pointer: number, value: number): void;
  setU32(pointer: number, value: number): void;
  setU64(pointer: number, value: bigint): void;
  /** The buffers of a scatter/gather list, in order; they may overlap. EINVAL for more than `MAX_IOVECS`. */
  iovecs(pointer: number, count: number): readonly Uint8Array[];
}

/** IOV_MAX of Linux: no libc passes more. */
const MAX_IOVECS = 1_024;
const IOVEC_BYTES = 8;

export function createGuestMemory(memory: WebAssembly.Memory): GuestMemory {
  let buffer = memory.buffer;
  let view = new DataView(buffer);

  /** Growth detaches the buffer, so the one in hand is compared each time. Returns the checked offset. */
  function at(pointer: number, length: number): number {
    if (memory.buffer !== buffer) {
      buffer = memory.buffer;
      view = new DataView(buffer);
    }
    const offset = pointer >>> 0;
    if (offset + (length >>> 0) > view.byteLength) throw new WasiError(ERRNO.fault);
    return offset;
  }

  function bytes(pointer: number, length: number): Uint8Array {
    const offset = at(pointer, length);
    return new Uint8Array(buffer, offset, length >>> 0);
  }

  return {
    bytes,
    u8: (pointer) => {
      const offset = at(pointer, 1);
      return view.getUint8(offset);
    },
    u16: (pointer) => {
      const offset = at(pointer, 2);
      return view.getUint16(offset, true);
    },
    u32: (pointer) => {
      const offset = at(pointer, 4);
      return view.getUint32(offset, true);
    },
    u64: (pointer) => {
      const offset = at(pointer, 8);
      return view.getBigUint64(offset, true);
    },
    setU8: (pointer, value) => {
      const offset = at(pointer, 1);
      view.setUint8(offset, value);
    },
    setU16: (pointer, value) => {
      const offset = at(pointer, 2);
      view.setUint16(offset, value, true);
    },
    setU32: (pointer, value) => {
      const offset = at(pointer, 4);
      view.setUint32(offset, value, true);
    },
    setU64: (pointer, value) => {
      const offset = at(pointer, 8);
      view.setBigUint64(offset, value, true);
    },
    iovecs(pointer, count) {
      const length = count >>> 0;
      if (length > MAX_IOVECS) throw new WasiError(ERRNO.inval);
      const list = at(pointer, length * IOVEC_BYTES);
      return Array.from({ length }, (_, index) => {
        const entry = list + index * IOVEC_BYTES;
        return bytes(view.getUint32(entry, true), view.getUint32(entry + 4, true));
      });
    },
  };
}
