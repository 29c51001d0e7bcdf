import type { Timer } from './timer.ts';

export interface Expiry {
  /** Resolves after `ms`, or when `early` does. */
  readonly expired: Promise<void>;
  /** Takes the timer back. */
  stop(): void;
}

export function createExpiry({
  timer,
  ms,
  early,
}: {
  readonly timer: Timer;
  readonly ms: number;
  readonly early: Promise<void>;
}): Expiry {
  const elapsed = Promise.withResolvers<void>();
  const stop = timer.after(ms, elapsed.resolve);
  return { expired: Promise.race([elapsed.promise, early]), stop };
}
