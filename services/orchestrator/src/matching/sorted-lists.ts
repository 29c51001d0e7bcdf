/** Walks along ascending lists of places, the form in which the index answers. */

/** A condition: a place fulfils it by being in one of the lists. */
export type AnyOf = readonly (readonly number[])[];

/**
 * Places that fulfil both conditions, ascending, each once, found one by one as they are asked for. The condition with
 * fewer places leads and the other one is searched from where it was last, so a small condition costs little however
 * large the other is.
 */
export function* inBoth(one: AnyOf, other: AnyOf): Generator<number, void, undefined> {
  const [leading, searched] = total(one) <= total(other) ? [one, other] : [other, one];
  const isSearched = createSieve(searched);
  for (const place of mergeSorted(leading)) if (isSearched(place)) yield place;
}

/** What is in any of the lists, ascending, each once. */
export function mergeSorted(lists: AnyOf): Iterable<number> {
  const [first, second] = lists;
  return second === undefined ? (first ?? []) : merged(lists);
}

function* merged(lists: AnyOf): Generator<number, void, undefined> {
  const next = lists.map(() => 0);
  for (;;) {
    let smallest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < lists.length; index++) {
      const place = lists[index]?.[next[index] ?? 0];
      if (place !== undefined && place < smallest) smallest = place;
    }
    if (smallest === Number.POSITIVE_INFINITY) return;
    yield smallest;
    for (let index = 0; index < lists.length; index++) {
      const at = next[index] ?? 0;
      if (lists[index]?.[at] === smallest) next[index] = at + 1;
    }
  }
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
  let step = 1;
  let low = start;
  while (low + step <= list.length && (list[low + step - 1] ?? place) < place) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, list.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function total(lists: AnyOf): number {
  return lists.reduce((sum, list) => sum + list.length, 0);
}
