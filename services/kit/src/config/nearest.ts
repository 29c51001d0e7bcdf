import { closest } from 'fastest-levenshtein';

/** The one of `known` that needs the fewest edits to become `written`; undefined when `known` is empty. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  return known.length === 0 ? undefined : closest(written, known);
}
