/** The first pause before a service that died is started again; doubled each time, so that a broken one does not spin. */
const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A service that held this long was well: its next death is a first one again. */
const WELL_AFTER_MS = 60_000;

export interface RestartDelay {
  /** How long to wait before the next start, in ms; `ranMs` is how long the service held. */
  next(ranMs: number): number;
}

export function createRestartDelay(): RestartDelay {
  let failures = 0;
  return {
    next(ranMs) {
      failures = ranMs >= WELL_AFTER_MS ? 1 : failures + 1;
      return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
    },
  };
}
