/** Ascending lists of different numbers, the form that all indexes of capabilities share. */

/** Adds `entry` unless it is there; at the end, where an index is built in order, in constant time. */
export function addSorted(list: number[], entry: number): void {
  const last = list.at(-1);
  if (last === undefined || last < entry) {
    list.push(entry);
    return;
  }
  const at = placeOf(list, entry);
  if (list[at] !== entry) list.splice(at, 0, entry);
}

/** Whether it was there. */
export function removeSorted(list: number[], entry: number): boolean {
  const at = placeOf(list, entry);
  if (list[at] !== entry) return false;
  list.splice(at, 1);
  return true;
}

export function hasSorted(list: readonly number[], entry: number): boolean {
  return list[placeOf(list, entry)] === entry;
}

/** What is in all of the lists; nothing when there are no lists. */
export function intersectSorted(lists: readonly (readonly number[])[]): readonly number[] {
  const [shortest, ...others] = lists.toSorted((a, b) => a.length - b.length);
  return (shortest ?? []).filter((entry) => others.every((list) => hasSorted(list, entry)));
}

/** Index of the first element that is not smaller than `entry`. */
function placeOf(list: readonly number[], entry: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? Number.POSITIVE_INFINITY) < entry) low = middle + 1;
    else high = middle;
  }
  return low;
}
