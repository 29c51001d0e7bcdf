import { heapLimitMb } from './memory-class.ts';

const MIB = 1024 * 1024;

/**
 * Above the limit by this factor, a call is ended at once; below that, only when several samples in a row are
 * above it: memory that is free already but not yet collected counts as used, and is gone by the next sample.
 */
const HARD_FACTOR = 2;
/** With the sampling interval, time enough for V8 to collect: well above one full collection of a small heap. */
const SAMPLES_IN_A_ROW = 4;
/** Young generation and garbage in the heap that V8 has not got to yet, in MiB. */
const HEAP_SLACK_MB = 32;

export interface MemorySample {
  readonly heapBytes: number;
  readonly externalBytes: number;
  /** What of `externalBytes` are programs that the worker holds for the manager. */
  readonly heldBytes: number;
}

export interface MemoryVerdict {
  /** Takes one sample of the worker while it runs the call; true when the call has used too much. */
  isOver(sample: MemorySample): boolean;
  /** The most seen, in bytes: the worker's heap and what the call allocated outside it. */
  peakBytes(): number;
}

/** Judges one call of `memoryMb` by samples of its worker, whose heap V8 itself limits to that of `classMb`. */
export function createMemoryVerdict(memoryMb: number, classMb: number): MemoryVerdict {
  const externalLimit = memoryMb * MIB;
  const totalLimit = (heapLimitMb(classMb) + HEAP_SLACK_MB) * MIB;
  let inARow = 0;
  let peak = 0;

  return {
    isOver({ heapBytes, externalBytes, heldBytes }) {
      const external = Math.max(0, externalBytes - heldBytes);
      peak = Math.max(peak, heapBytes + external);
      const excess = Math.max(external / externalLimit, (heapBytes + external) / totalLimit);
      inARow = excess > 1 ? inARow + 1 : 0;
      return excess > HARD_FACTOR || inARow >= SAMPLES_IN_A_ROW;
    },
    peakBytes: () => peak,
  };
}
