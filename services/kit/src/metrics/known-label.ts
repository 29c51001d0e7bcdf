/** The one value that stands for all that are not known: labels must not grow with what callers send. */
const UNKNOWN = 'unknown';

export function knownLabel(value: string, isKnown: (value: string) => boolean): string {
  return isKnown(value) ? value : UNKNOWN;
}
