import { addSorted, intersectSorted, removeSorted } from './sorted-numbers.ts';

/** Which capabilities carry a label (a tag, a persona), by their places in the ordered list. */
export interface TagIndex {
  insert(tag: string, entry: number): void;
  /** What is not there is no error. */
  remove(tag: string, entry: number): void;
  /** Ascending; valid until the next change. */
  with(tag: string): readonly number[];
  /** Entries that carry every one of the tags, ascending; none when no tag is given. */
  withAll(tags: readonly string[]): readonly number[];
}

const NONE: readonly number[] = [];

export function createTagIndex(): TagIndex {
  const entries = new Map<string, number[]>();
  return {
    insert(tag, entry) {
      const list = entries.get(tag);
      if (list === undefined) entries.set(tag, [entry]);
      else addSorted(list, entry);
    },
    remove(tag, entry) {
      const list = entries.get(tag);
      if (list !== undefined && removeSorted(list, entry) && list.length === 0) entries.delete(tag);
    },
    with(tag) {
      return entries.get(tag) ?? NONE;
    },
    withAll(tags) {
      return intersectSorted(tags.map((tag) => entries.get(tag) ?? NONE));
    },
  };
}
