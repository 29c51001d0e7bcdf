import type { Capability } from '../registry/model.ts';

export interface Ranked<T extends Capability = Capability> {
  readonly capability: T;
  /** How well it fits, higher is better; 0 where nothing was compared. */
  readonly score: number;
}

/** Puts what matched in order of preference for the user's words. May be lazy: what is not asked for is not looked at. */
export type Rank = (matched: Iterable<Capability>, query: string) => Iterable<Ranked>;

/** The order of the ids, as `match` has it, whatever the words. */
export function* rankById(matched: Iterable<Capability>): Generator<Ranked, void, undefined> {
  for (const capability of matched) yield { capability, score: 0 };
}
