import type { Release } from './drain-gate.ts';
import type { Lifecycle } from './lifecycle.ts';

/** A place for one call, or why there is none. */
export type CallEntry =
  | { readonly leave: Release; readonly refused?: never }
  | { readonly refused: 'draining' | 'full'; readonly leave?: never };

/** Lets calls in while the service runs and fewer than `maxInFlight` are in. Whoever entered must leave, whatever came of it. */
export function createCallGate(lifecycle: Pick<Lifecycle, 'enter' | 'inFlight'>, maxInFlight: number): () => CallEntry {
  return () => {
    if (lifecycle.inFlight >= maxInFlight) return { refused: 'full' };
    const leave = lifecycle.enter();
    return leave === undefined ? { refused: 'draining' } : { leave };
  };
}
