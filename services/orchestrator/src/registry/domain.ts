/** Levels of a capability domain; the deepest in the seeds has two. */
export const MAX_DOMAIN_DEPTH = 8;

const SEGMENT = /^[\p{L}\p{N}_-]{1,64}$/u;

/** A capability domain: names joined by `/`, from the general to the particular (seed 003 §3.3). */
export function isDomain(text: string): boolean {
  const segments = text.split('/');
  return segments.length <= MAX_DOMAIN_DEPTH && segments.every((segment) => SEGMENT.test(segment));
}

/** Whether `domain` is `prefix` or below it, by whole names: `daily_chat` covers `daily_chat/weather`, not `daily_chatter`. */
export function isAtOrBelow(domain: string, prefix: string): boolean {
  return domain === prefix || domain.startsWith(`${prefix}/`);
}
