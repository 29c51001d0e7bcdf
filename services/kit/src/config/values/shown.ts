/** Longer values are cut in messages: enough to recognise what was written. */
const MAX_SHOWN_CHARACTERS = 60;

/** A value as a message shows it: on one line, control characters escaped, cut when long. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a section';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}

/** The error option of a schema whose every failure is told in one way: what is allowed, and what was there. */
export function must(allowed: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => `must be ${allowed}, not ${shown(input)}` };
}
