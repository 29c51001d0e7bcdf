import type { Program } from './runtime-contract.ts';

/**
 * What one worker holds, kept on the manager's side: the manager decides what a worker keeps and what it drops,
 * so both always agree and nobody has to ask. Least recently used goes first.
 */
export interface ProgramStore {
  /** True when the worker holds it and has prepared it; marks it as used. */
  isReady(digest: string): boolean;
  holds(digest: string): boolean;
  /** Notes that the program is sent; returns the digests that the worker is to drop for it. */
  add(program: Program): readonly string[];
  markReady(digest: string): void;
  /** Bytes the worker holds. */
  bytes(): number;
}

export function programBytes(program: Program): number {
  let bytes = program.artifact.length;
  for (const content of program.resources.values()) bytes += content.length;
  return bytes;
}

/** @param maxBytes of artifacts and resources together; a single program above it is held alone. */
export function createProgramStore(maxBytes: number): ProgramStore {
  /** In order of use, the oldest first. */
  const held = new Map<string, { readonly bytes: number; ready: boolean }>();
  let heldBytes = 0;

  return {
    isReady(digest) {
      const entry = held.get(digest);
      if (entry === undefined) return false;
      held.delete(digest);
      held.set(digest, entry);
      return entry.ready;
    },

    holds: (digest) => held.has(digest),

    add(program) {
      const bytes = programBytes(program);
      const forget: string[] = [];
      for (const [digest, entry] of held) {
        if (heldBytes + bytes <= maxBytes) break;
        held.delete(digest);
        heldBytes -= entry.bytes;
        forget.push(digest);
      }
      held.set(program.digest, { bytes, ready: false });
      heldBytes += bytes;
      return forget;
    },

    markReady(digest) {
      const entry = held.get(digest);
      if (entry !== undefined) entry.ready = true;
    },

    bytes: () => heldBytes,
  };
}
