/**
 * What a container printed, kept within bounds. Bytes are copied: a view would keep alive the whole
 * chunk it came in, and a flood of 1-byte frames would cost 100 times its size.
 */
export interface CapturedOutput {
  /** False when `data` does not fit any more; it is then not kept, not even in part. */
  add(data: Uint8Array): boolean;
  readonly bytes: Uint8Array;
}

/** Bytes reserved at first; most tools print a short line. */
const FIRST_BYTES = 4_096;

/** Keeps everything up to `limitBytes`, and says when there is more. */
export function createCapturedOutput(limitBytes: number): CapturedOutput {
  let buffer = new Uint8Array(Math.min(FIRST_BYTES, limitBytes));
  let length = 0;
  return {
    add(data) {
      const needed = length + data.length;
      if (needed > limitBytes) return false;
      if (needed > buffer.length) {
        const grown = new Uint8Array(Math.min(limitBytes, Math.max(needed, buffer.length * 2)));
        grown.set(buffer.subarray(0, length));
        buffer = grown;
      }
      buffer.set(data, length);
      length = needed;
      return true;
    },
    get bytes() {
      return buffer.subarray(0, length);
    },
  };
}

export interface OutputTail {
  add(data: Uint8Array): void;
  /** Bytes seen in all. */
  readonly total: number;
  /** The last bytes, as text; a character cut at the front shows as U+FFFD. */
  text(): string;
}

/** Keeps the last `keepBytes` only: what a program printed before it failed is at the end. */
export function createOutputTail(keepBytes: number): OutputTail {
  const ring = new Uint8Array(keepBytes);
  let total = 0;
  return {
    add(data) {
      const kept = data.subarray(Math.max(0, data.length - keepBytes));
      const start = (total + data.length - kept.length) % keepBytes;
      const untilEnd = Math.min(kept.length, keepBytes - start);
      ring.set(kept.subarray(0, untilEnd), start);
      ring.set(kept.subarray(untilEnd), 0);
      total += data.length;
    },
    get total() {
      return total;
    },
    text() {
      if (total <= keepBytes) return Buffer.from(ring.subarray(0, total)).toString('utf8');
      const start = total % keepBytes;
      return Buffer.concat([ring.subarray(start), ring.subarray(0, start)]).toString('utf8');
    },
  };
}
