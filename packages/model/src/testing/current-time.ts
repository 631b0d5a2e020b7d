/**
 * Returns the current time of the clock that the real servers and databases of a test use, in milliseconds since 1970.
 * Times sent to them are relative to it. If a clock can be injected (`TestClock`, `Clock`), a test uses fixed dates
 * instead.
 */
export function currentTime(): number {
  // eslint-disable-next-line no-restricted-syntax -- the only place that reads the clock
  return Date.now();
}

/** Returns the time some milliseconds from now (negative: ago) in the format of the API: ISO 8601, UTC. */
export function isoTimeIn(milliseconds: number): string {
  return new Date(currentTime() + milliseconds).toISOString();
}
