import { ERRNO } from './abi.ts';
import type { GuestMemory } from './guest-memory.ts';
import type { WasiFunctions } from './signatures.ts';

/** Fills the view with cryptographically strong random bytes. */
export type FillRandom = (view: Uint8Array) => void;

/** Filling cannot be interrupted: 1 MiB takes about 2 ms, and nobody seeds a generator with more. */
const MAX_RANDOM_BYTES = 1024 * 1024;

export function createRandom(memory: GuestMemory, fillRandom: FillRandom): Pick<WasiFunctions, 'random_get'> {
  return {
    random_get(pointer, length) {
      if (length >>> 0 > MAX_RANDOM_BYTES) return ERRNO.inval;
      fillRandom(memory.bytes(pointer, length));
      return ERRNO.success;
    },
  };
}
