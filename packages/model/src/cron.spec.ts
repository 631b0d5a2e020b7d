import { expect } from 'chai';
import { parseCron } from './cron.js';

/** Returns the next times of a cron expression after a Thursday morning, without milliseconds. */
function listNextTimes(expression: string, count: number): (string | undefined)[] {
  const schedule = parseCron(expression);
  const times: (string | undefined)[] = [];
  for (let at: number | undefined = Date.parse('2026-01-15T10:00:00Z'); at !== undefined && times.length < count;) {
    at = schedule?.(at);
    times.push(at === undefined ? undefined : new Date(at).toISOString().slice(0, 19));
  }
  return times;
}

describe('parseCron()', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['0 0 9-17 * * MON-FRI', ['2026-01-15T11:00:00', '2026-01-15T12:00:00']],
    ['*/20 * * * * *', ['2026-01-15T10:00:20', '2026-01-15T10:00:40']],
    ['0 5/15 * * * *', ['2026-01-15T10:05:00', '2026-01-15T10:20:00']],
    ['0 0 0 ? * mon', ['2026-01-19T00:00:00', '2026-01-26T00:00:00']],
    ['0 0 0 1 JAN,MAR ?', ['2026-03-01T00:00:00', '2027-01-01T00:00:00']],
    ['0 0 0 1 * 7', ['2026-02-01T00:00:00', '2026-03-01T00:00:00']],
    ['0 0 12 1 1 MON', ['2029-01-01T12:00:00', '2035-01-01T12:00:00']],
    ['0 0 0 L * *', ['2026-01-31T00:00:00', '2026-02-28T00:00:00']],
    ['0 0 0 LW * *', ['2026-01-30T00:00:00', '2026-02-27T00:00:00']],
    ['0 0 0 15W * *', ['2026-02-16T00:00:00', '2026-03-16T00:00:00']],
    ['0 0 0 * * FRIL', ['2026-01-30T00:00:00', '2026-02-27T00:00:00']],
    ['0 0 0 ? * 5#2', ['2026-02-13T00:00:00', '2026-03-13T00:00:00']],
    ['30 6 * * *', ['2026-01-16T06:30:00', '2026-01-17T06:30:00']],
    ['@daily', ['2026-01-16T00:00:00', '2026-01-17T00:00:00']],
    ['@weekly', ['2026-01-18T00:00:00', '2026-01-25T00:00:00']],
  ];
  for (const [expression, expected] of cases) {
    it(`should compute the next times of ${expression}`, () => {
      expect(listNextTimes(expression, expected.length)).to.deep.equal(expected);
    });
  }

  for (const expression of [
    '',
    '* * * *',
    '0 0 0 1 1 ? 2030',
    '@reboot',
    '@DAILY',
    '2030-01-01T00:00:00Z',
    '0 0 0 30 2 ?',
    '60 * * * * *',
    '0 0 24 * * *',
    '0 0 0 0 * *',
    '0 0 0 1 13 *',
    '0 */0 * * * *',
    '0 50-10 * * * *',
    '0 0 0 * * FRI-MON',
    '0 0 0 * * 1/2',
    '0 0 0 * * +MON',
    '0 0 0 * * 1#6',
    '0 0 0 * * L',
    '? * * * * *',
    '0 0 0 L-3 * *',
    'hourly',
  ]) {
    it(`should refuse "${expression}"`, () => {
      expect(parseCron(expression)).to.equal(undefined);
    });
  }
});
