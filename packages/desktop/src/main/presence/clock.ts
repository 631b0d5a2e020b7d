/** The time of this machine; specs have another one. */
export interface Clock {
  /** In ms since the epoch. */
  now(): number;
  /** @returns what calls it off */
  after(ms: number, run: () => void): () => void;
}

/** Timers of the process stand still while the machine sleeps: who waits for a time of day looks again when it wakes. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  after: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
});
