/**
 * The bytes are not a well-formed module. The only thing that the readers of this folder throw, whatever the bytes.
 */
export class MalformedModule extends Error {
  override readonly name = 'MalformedModule';
}

/** Reads a range of bytes from front to back. Every read moves on or throws, so no loop over reads can hang. */
export interface ByteReader {
  /** Offset of the next byte in the whole array. */
  readonly position: number;
  readonly remaining: number;
  byte(): number;
  /** LEB128, at most 32 bits, unsigned. */
  u32(): number;
  /** A view of the next `length` bytes, not a copy. */
  take(length: number): Uint8Array;
  /** A reader of the next `length` bytes alone; this one moves past them. */
  range(length: number): ByteReader;
  /** A length-prefixed text of at most `maxBytes` bytes. */
  name(maxBytes: number): string;
}

/** Five groups of seven bits hold 32; a sixth byte is never part of a u32 (WebAssembly core spec, 5.2.2). */
const MAX_U32_BYTES = 5;

export function createByteReader(bytes: Uint8Array, start = 0, end = bytes.length): ByteReader {
  let position = start;

  function take(length: number): Uint8Array {
    if (length > end - position) {
      throw new MalformedModule(`it ends early: ${length} bytes expected at offset ${position}, ${end - position} left`);
    }
    position += length;
    return bytes.subarray(position - length, position);
  }

  function byte(): number {
    const value = position < end ? bytes[position] : undefined;
    if (value === undefined) throw new MalformedModule(`it ends early, at offset ${position}`);
    position++;
    return value;
  }

  function u32(): number {
    const at = position;
    let value = 0;
    for (let index = 0; index < MAX_U32_BYTES; index++) {
      const group = byte();
      value += (group & 0x7f) * 2 ** (7 * index);
      if (group < 0x80) {
        if (value > 0xffff_ffff) break;
        return value;
      }
    }
    throw new MalformedModule(`the number at offset ${at} does not fit in 32 bits`);
  }

  return {
    get position() {
      return position;
    },
    get remaining() {
      return end - position;
    },
    byte,
    u32,
    take,
    range(length) {
      const from = position;
      take(length);
      return createByteReader(bytes, from, from + length);
    },
    name(maxBytes) {
      const at = position;
      const length = u32();
      if (length > maxBytes) throw new MalformedModule(`the name at offset ${at} is longer than ${maxBytes} bytes`);
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(take(length));
      } catch (error) {
        if (error instanceof MalformedModule) throw error;
        throw new MalformedModule(`the name at offset ${at} is not UTF-8`, { cause: error });
      }
    },
  };
}

/** LEB128 of an unsigned 32-bit number, in the fewest bytes. */
export function encodeU32(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}
