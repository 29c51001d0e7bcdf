/** The power to be woken later. */
export interface Timer {
  /** Calls `wake` once, after `ms` milliseconds; the returned function takes that back. */
  after(ms: number, wake: () => void): () => void;
}

/** The machine's own. Its timers keep the process alive: a shutdown must not end before its deadline has been kept. */
export const systemTimer: Timer = {
  after(ms, wake) {
    const handle = setTimeout(wake, ms);
    return () => clearTimeout(handle);
  },
};
