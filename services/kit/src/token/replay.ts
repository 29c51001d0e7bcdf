/** Remembers which tokens were used, until they could not be used any more anyway. */
export interface ReplayMemory {
  /** Records `jti` until `untilMs` (ms since 1970); false when it is recorded already. Atomic. */
  record(jti: string, untilMs: number): boolean | Promise<boolean>;
}

/** How often what has expired is dropped, in ms: memory then holds at most a minute's tokens and a little. */
const SWEEP_MS = 5_000;

/** For one process; begins empty, so tokens older than the process must be refused elsewhere. */
export function createReplayMemory(now: () => number): ReplayMemory {
  const used = new Map<string, number>();
  let sweptAt = now();
  return {
    record(jti, untilMs) {
      const at = now();
      if (at - sweptAt >= SWEEP_MS) {
        sweptAt = at;
        for (const [id, until] of used) if (until <= at) used.delete(id);
      }
      if (used.has(jti)) return false;
      used.set(jti, untilMs);
      return true;
    },
  };
}
