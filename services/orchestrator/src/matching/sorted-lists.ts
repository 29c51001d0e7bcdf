/**
 * Walks along ascending lists of places, the form in which the index answers. A walk is a function that gives the next
 * place each time it is called: over 100,000 capabilities a generator's own cost is most of the time.
 */
export type Walk = () => number;

/** What a walk gives when it is over: beyond every place, and still a small integer, which engines keep unboxed. */
export const END = 0x3fff_ffff;

/** A condition: a place fulfils it by being in one of the lists. */
export type AnyOf = readonly (readonly number[])[];

/**
 * Places that fulfil both conditions, ascending, each once. The condition with fewer places leads and the other one is
 * searched from where it was last, so a small condition costs little however large the other is.
 */
export function inBoth(one: AnyOf, other: AnyOf): Walk {
  const [leading, searched] = total(one) <= total(other) ? [one, other] : [other, one];
  const next = mergeSorted(leading);
  const isSearched = createSieve(searched);
  return () => {
    let place = next();
    while (place !== END && !isSearched(place)) place = next();
    return place;
  };
}

/** What is in any of the lists, ascending, each once. */
export function mergeSorted(lists: AnyOf): Walk {
  const heads = lists.map((list) => list[0] ?? END);
  const taken = lists.map(() => 0);
  return () => {
    let smallest = END;
    for (const head of heads) if (head < smallest) smallest = head;
    if (smallest === END) return END;
    for (let index = 0; index < heads.length; index++) {
      if (heads[index] !== smallest) continue;
      const at = (taken[index] ?? 0) + 1;
      taken[index] = at;
      heads[index] = lists[index]?.[at] ?? END;
    }
    return smallest;
  };
}

/** Says whether a place is in any of the lists. Places must be asked for in ascending order. */
export function createSieve(lists: AnyOf): (place: number) => boolean {
  const next = lists.map(() => 0);
  return (place) => {
    for (let index = 0; index < lists.length; index++) {
      const list = lists[index] ?? [];
      const at = firstFrom(list, next[index] ?? 0, place);
      next[index] = at;
      if (list[at] === place) return true;
    }
    return false;
  };
}

/** Index of the first element from `start` on that is not smaller than `place`: steps that double, then halves. */
function firstFrom(list: readonly number[], start: number, place: number): number {
  if (!isBefore(list, start, place)) return start;
  let low = start;
  let step = 1;
  while (isBefore(list, low + step, place)) {
    low += step;
    step *= 2;
  }
  // The element at `low` is smaller; the one at `high` is not, or is beyond the end.
  let high = Math.min(low + step, list.length);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isBefore(list, middle, place)) low = middle;
    else high = middle;
  }
  return high;
}

function isBefore(list: readonly number[], index: number, place: number): boolean {
  return index < list.length && (list[index] ?? place) < place;
}

function total(lists: AnyOf): number {
  return lists.reduce((sum, list) => sum + list.length, 0);
}
