import type { Ranked } from '../matching/rank.ts';

/** The longest beginning of `entries` that takes at most `budget` tokens; 0: no bound. Nothing is ever cut. */
export function withinBudget(entries: readonly Ranked[], budget: number): readonly Ranked[] {
  if (budget === 0) return entries;
  let tokens = 0;
  const end = entries.findIndex(({ capability }) => {
    tokens += capability.tokenCost;
    return tokens > budget;
  });
  return end === -1 ? entries : entries.slice(0, end);
}
