/**
 * Returns the pause after a failed attempt, which doubles with each attempt.
 *
 * @param attempt 1 for the first
 * @param firstMs the pause after the first attempt, in ms
 * @param maxMs the longest pause, in ms
 */
export function computeExponentialBackoffMs(attempt: number, firstMs: number, maxMs: number): number {
  // The exponent is bounded, so that the power stays finite.
  return Math.min(firstMs * 2 ** Math.min(attempt - 1, 30), maxMs);
}
