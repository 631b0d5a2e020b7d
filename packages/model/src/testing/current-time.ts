/**
 * The time of the clock by which the real servers and databases of a test go, in milliseconds since 1970: what is said to them is
 * relative to this. Where a clock can be given (`TestClock`, `Clock`), a test has fixed dates.
 */
export function currentTime(): number {
  // eslint-disable-next-line no-restricted-syntax -- the one place that looks at the clock
  return Date.now();
}

/** The same, so many milliseconds later or (negative) earlier, as the API has times: ISO 8601, UTC. */
export function isoIn(milliseconds: number): string {
  return new Date(currentTime() + milliseconds).toISOString();
}
