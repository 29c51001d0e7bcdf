/** Walks along ascending lists of places, the form in which the index answers. */

/** What is in any of the lists, ascending, each once. */
export function mergeSorted(lists: readonly (readonly number[])[]): Iterable<number> {
  const [first, second] = lists;
  return second === undefined ? (first ?? []) : merged(lists);
}

function* merged(lists: readonly (readonly number[])[]): Generator<number, void, undefined> {
  const cursors = lists.map((list) => ({ list, next: 0 }));
  for (;;) {
    let smallest = Number.POSITIVE_INFINITY;
    for (const { list, next } of cursors) smallest = Math.min(smallest, list[next] ?? Number.POSITIVE_INFINITY);
    if (smallest === Number.POSITIVE_INFINITY) return;
    yield smallest;
    for (const cursor of cursors) if (cursor.list[cursor.next] === smallest) cursor.next++;
  }
}

/**
 * Says whether a place is in any of the lists. Places must be asked for in ascending order: then a whole walk costs no
 * more than the lists are long.
 */
export function createSieve(lists: Iterable<readonly number[]>): (place: number) => boolean {
  const cursors = Array.from(lists, (list) => ({ list, next: 0 }));
  return (place) => {
    for (const cursor of cursors) {
      while ((cursor.list[cursor.next] ?? Number.POSITIVE_INFINITY) < place) cursor.next++;
      if (cursor.list[cursor.next] === place) return true;
    }
    return false;
  };
}
