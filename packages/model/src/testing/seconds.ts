/** Set by what runs the tests (`scripts/mocha/measure-second.mjs`): what a second is worth on this machine, now, in milliseconds. */
const SECOND_VARIABLE = 'COUNTERSIGN_TEST_SECOND_MS';

/**
 * Milliseconds of a time limit. A machine that is three times slower waits three times longer, so that a limit says how much
 * work may be waited for, and not how fast the machine is.
 */
export function seconds(count: number): number {
  return count * Number(process.env[SECOND_VARIABLE] ?? '1000');
}
