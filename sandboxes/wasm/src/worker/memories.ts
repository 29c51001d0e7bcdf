/**
 * The memories of instances, from before one starts to after it has ended. Making one costs some system calls, page
 * faults and in the end a collection, together more than a small tool's run, so small ones are zeroed and used again.
 */
export interface Memories {
  /** A memory of zeros. Throws the engine's RangeError when it cannot be had. */
  take(size: MemorySize): WebAssembly.Memory;
  /** The instance that had it has ended: nothing reads or writes the memory any more. */
  giveBack(memory: WebAssembly.Memory, size: MemorySize): void;
}

/** In pages. */
export interface MemorySize {
  readonly initial: number;
  readonly maximum: number;
}

export interface CollectorPower {
  /** A full, synchronous collection; 5 ms and more. */
  collectGarbage(): void;
  /** Runs the task after what is due now, such as sending a result. */
  defer(task: () => void): void;
}

export const PAGE_BYTES = 65_536;

/** Zeroing 2 MiB takes some 0.1 ms, about what a fresh memory costs. C begins with 0.1 MiB, Rust with 1.1. */
const MAX_SPARE_BYTES = 2 * 1024 * 1024;
/** Programs that a worker sees in turn mostly begin with the same size. */
const MAX_SPARES = 4;

/**
 * Bytes of memories that may be dead at once, per worker. The engine does not count them, so without a collection of our
 * own they pile up: 300 calls that touched 32 MiB each held 8.4 GB.
 */
const MAX_DEAD_BYTES = 64 * 1024 * 1024;

export function createMemories({ collectGarbage, defer }: CollectorPower): Memories {
  /** Zeroed, and none larger than it began. */
  const spares: { readonly size: MemorySize; readonly memory: WebAssembly.Memory }[] = [];
  let deadBytes = 0;

  function collect(): void {
    if (deadBytes < MAX_DEAD_BYTES) return;
    deadBytes = 0;
    collectGarbage();
  }

  function bury(memory: WebAssembly.Memory): void {
    deadBytes += memory.buffer.byteLength;
    if (deadBytes >= MAX_DEAD_BYTES) defer(collect);
  }

  return {
    take({ initial, maximum }) {
      const index = spares.findIndex(({ size }) => size.initial === initial && size.maximum === maximum);
      const [spare] = index === -1 ? [] : spares.splice(index, 1);
      if (spare !== undefined) return spare.memory;
      collect();
      return new WebAssembly.Memory({ initial, maximum });
    },
    giveBack(memory, size) {
      const { byteLength } = memory.buffer;
      if (byteLength > MAX_SPARE_BYTES || byteLength !== size.initial * PAGE_BYTES) {
        bury(memory);
        return;
      }
      new Uint8Array(memory.buffer).fill(0);
      spares.push({ size, memory });
      if (spares.length > MAX_SPARES) {
        const oldest = spares.shift();
        if (oldest !== undefined) bury(oldest.memory);
      }
    },
  };
}
