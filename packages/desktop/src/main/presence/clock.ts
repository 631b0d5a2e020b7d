/** Clock of this machine, replaceable in specs. */
export interface Clock {
  /** In ms since the epoch. */
  now(): number;
  /** @returns a function that cancels the call */
  schedule(ms: number, run: () => void): () => void;
}

/** Timers pause while the machine sleeps, so code that waits for a time of day must check again after waking. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  schedule: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
});
