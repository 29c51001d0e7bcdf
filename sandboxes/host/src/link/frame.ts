/**
 * Binary frames on a byte stream, both ways between the manager and a host process.
 *
 *     u32 LE  length of what follows
 *     u8      type: what the payload means (messages.ts)
 *     u32 LE  call id; 0 where a frame is of no call
 *     …       payload
 */
export interface Frame {
  readonly type: number;
  readonly call: number;
  /** A view into received bytes, which nobody else writes to; to keep it is to keep the whole read. */
  readonly payload: Buffer;
}

const LENGTH_BYTES = 4;
const FIXED_BYTES = 5;
/** Bytes of a frame around its payload. */
export const FRAME_OVERHEAD_BYTES = LENGTH_BYTES + FIXED_BYTES;

/** The peer speaks another language than we do: the link cannot be trusted any further. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Writes the fixed part of a frame at `offset`; the payload belongs behind it, at `offset + FRAME_OVERHEAD_BYTES`. */
export function writeFrameHead(target: Buffer, offset: number, type: number, call: number, payloadBytes: number): void {
  target.writeUInt32LE(FIXED_BYTES + payloadBytes, offset);
  target.writeUInt8(type, offset + LENGTH_BYTES);
  target.writeUInt32LE(call, offset + LENGTH_BYTES + 1);
}

export interface FrameDecoder {
  /**
   * Takes the next bytes, in any chunking, and calls `onFrame` for each frame they complete. Throws
   * `FrameError` for a length that is impossible or above the maximum, before anything is allocated for it.
   */
  push(chunk: Buffer): void;
}

/** @param maxPayloadBytes the largest payload that is accepted */
export function createFrameDecoder(maxPayloadBytes: number, onFrame: (frame: Frame) => void): FrameDecoder {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let neededBytes = LENGTH_BYTES;

  /** Returns the bytes a whole frame at `offset` takes; with too few bytes to tell, those of a length field. */
  function frameBytesAt(bytes: Buffer, offset: number): number {
    if (bytes.length - offset < LENGTH_BYTES) return LENGTH_BYTES;
    const length = bytes.readUInt32LE(offset);
    if (length < FIXED_BYTES) throw new FrameError(`A frame of ${length} bytes is too short to be one.`);
    if (length - FIXED_BYTES > maxPayloadBytes) {
      throw new FrameError(`A frame of ${length} bytes is above the maximum of ${maxPayloadBytes}.`);
    }
    return LENGTH_BYTES + length;
  }

  return {
    push(chunk) {
      let bytes = chunk;
      if (heldBytes > 0) {
        held.push(chunk);
        heldBytes += chunk.length;
        if (heldBytes < neededBytes) return;
        bytes = Buffer.concat(held, heldBytes);
        held = [];
        heldBytes = 0;
      }
      let offset = 0;
      for (;;) {
        neededBytes = frameBytesAt(bytes, offset);
        const end = offset + neededBytes;
        if (neededBytes === LENGTH_BYTES || end > bytes.length) break;
        const payload = bytes.subarray(offset + FRAME_OVERHEAD_BYTES, end);
        onFrame({ type: bytes.readUInt8(offset + LENGTH_BYTES), call: bytes.readUInt32LE(offset + LENGTH_BYTES + 1), payload });
        offset = end;
      }
      if (offset < bytes.length) {
        held = [bytes.subarray(offset)];
        heldBytes = bytes.length - offset;
      }
    },
  };
}
