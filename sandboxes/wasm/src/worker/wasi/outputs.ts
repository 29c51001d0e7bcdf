/** Where an output descriptor's bytes go. `write` copies; it returns false when they exceed the limit, taking none. */
export interface Output {
  write(chunks: readonly Uint8Array[]): boolean;
}

/** Keeps everything, up to `limitBytes`. */
export interface BoundedOutput extends Output {
  bytes(): Uint8Array;
}

const NOTHING = new Uint8Array(0);

export function createBoundedOutput(limitBytes: number): BoundedOutput {
  let kept: Uint8Array = NOTHING;
  let length = 0;
  return {
    write(chunks) {
      const total = length + totalBytes(chunks);
      if (total > limitBytes) return false;
      if (total > kept.length) {
        // Doubling: a tool may print byte by byte.
        const larger = new Uint8Array(Math.min(limitBytes, Math.max(total, kept.length * 2)));
        larger.set(kept.subarray(0, length));
        kept = larger;
      }
      for (const chunk of chunks) {
        kept.set(chunk, length);
        length += chunk.length;
      }
      return true;
    },
    bytes: () => kept.subarray(0, length),
  };
}

/** Keeps the last `keepBytes` and lets the rest go: a diagnosis stands at the end. */
export interface TailOutput extends Output {
  /** What is kept, and whether something before it was let go. */
  tail(): { readonly bytes: Uint8Array; readonly cut: boolean };
}

export function createTailOutput(keepBytes: number): TailOutput {
  let kept: Uint8Array = NOTHING;
  let cut = false;
  return {
    write(chunks) {
      for (const chunk of chunks) {
        if (chunk.length === 0) continue;
        cut ||= kept.length + chunk.length > keepBytes;
        const fromChunk = chunk.subarray(Math.max(0, chunk.length - keepBytes));
        const fromKept = kept.subarray(Math.max(0, kept.length + fromChunk.length - keepBytes));
        const next = new Uint8Array(fromKept.length + fromChunk.length);
        next.set(fromKept);
        next.set(fromChunk, fromKept.length);
        kept = next;
      }
      return true;
    },
    tail: () => ({ bytes: kept, cut }),
  };
}

export function totalBytes(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((total, chunk) => total + chunk.length, 0);
}
