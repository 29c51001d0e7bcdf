/** Gives one entered place back; a second call does nothing. */
export type Release = () => void;

/** Counts work in flight, and lets no more in once it is shut. */
export interface DrainGate {
  /** A place, or undefined when the gate is shut. Whoever entered must release, whatever came of the work. */
  enter(): Release | undefined;
  /** Entered and not released. */
  readonly inFlight: number;
  /** Lets nobody in any more; resolves when the last one has left. */
  shut(): Promise<void>;
}

export function createDrainGate(): DrainGate {
  let inFlight = 0;
  let shut = false;
  const empty = Promise.withResolvers<void>();

  const leave = (): void => {
    inFlight--;
    if (shut && inFlight === 0) empty.resolve();
  };

  return {
    enter() {
      if (shut) return undefined;
      inFlight++;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        leave();
      };
    },
    get inFlight() {
      return inFlight;
    },
    shut() {
      shut = true;
      if (inFlight === 0) empty.resolve();
      return empty.promise;
    },
  };
}
