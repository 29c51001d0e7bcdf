import type { Ranked } from '../matching/rank.ts';

/**
 * The entries that fit into `budget` tokens together, those named first preferred; 0: no bound. What does not fit is left out
 * whole, nothing is ever cut, and it does not keep out what comes later and is smaller.
 */
export function withinBudget(entries: readonly Ranked[], budget: number): readonly Ranked[] {
  if (budget === 0) return entries;
  let left = budget;
  return entries.filter(({ capability }) => {
    if (capability.tokenCost > left) return false;
    left -= capability.tokenCost;
    return true;
  });
}
