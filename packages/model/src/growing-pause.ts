/**
 * The pause behind a failed attempt: it doubles with each one.
 *
 * @param attempt 1 for the first
 * @param firstMs the pause behind the first attempt, in ms
 * @param maxMs the longest pause, in ms
 */
export function growingPause(attempt: number, firstMs: number, maxMs: number): number {
  // Bounded, so that the power stays a number.
  return Math.min(firstMs * 2 ** Math.min(attempt - 1, 30), maxMs);
}
