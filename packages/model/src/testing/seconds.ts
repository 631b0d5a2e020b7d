/**
 * Environment variable that the test runner sets (`scripts/mocha/measure-second.mjs`): the number of milliseconds that
 * this machine currently needs for the work of one second on the reference machine.
 */
const SECOND_VARIABLE = 'COUNTERSIGN_TEST_SECOND_MS';

/**
 * Returns a time limit in milliseconds, scaled to the speed of the machine. A machine that is three times slower waits
 * three times longer, so that a limit measures work, not the speed of the machine.
 */
export function seconds(count: number): number {
  return count * Number(process.env[SECOND_VARIABLE] ?? '1000');
}
