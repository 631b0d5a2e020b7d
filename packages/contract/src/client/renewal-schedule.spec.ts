import { expect } from 'chai';
import { RenewalSchedule } from './renewal-schedule.js';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

/** Times of a token that does not expire during these tests. */
const LONG_LIVED_TOKEN = { receivedAt: START, expiresAt: START + 24 * HOUR };

describe('RenewalSchedule', () => {
  let now: number;
  let schedule: RenewalSchedule;

  beforeEach(() => {
    now = START;
    schedule = new RenewalSchedule(() => now);
  });

  it('should make a token due for renewal after two thirds of its lifetime', () => {
    for (const lifetime of [5_000, 30_000, 70_000, HOUR, 24 * HOUR]) {
      const times = { receivedAt: START, expiresAt: START + lifetime };
      now = START + Math.floor(lifetime * 0.66);
      expect(schedule.isDue(times)).to.equal(false);
      now = START + Math.ceil(lifetime * 0.67);
      expect(schedule.isDue(times)).to.equal(true);
      expect(schedule.isValid(times)).to.equal(true);
      now = START + lifetime;
      expect(schedule.isValid(times)).to.equal(false);
    }
  });

  it('should never renew a token without an expiry time', () => {
    const times = { receivedAt: START, expiresAt: null };
    now += 1_000 * 24 * HOUR;
    expect(schedule.isDue(times)).to.equal(false);
    expect(schedule.isValid(times)).to.equal(true);
  });

  it('should renew a token when the clock was set back to a time before its receipt', () => {
    now = START - 3 * HOUR;
    expect(schedule.isDue({ receivedAt: START, expiresAt: START + HOUR })).to.equal(true);
  });

  it('should pause for 1 s after a failure, double the pause up to 30 s, and reset it after a success', () => {
    const pauses: number[] = [];
    for (let failures = 0; failures < 7; failures += 1) {
      schedule.recordFailure();
      const pauseStart = now;
      while (schedule.isPaused(LONG_LIVED_TOKEN)) now += 500;
      pauses.push(now - pauseStart);
    }
    expect(pauses).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    schedule.recordSuccess();
    schedule.recordFailure();
    now += 1_000;
    expect(schedule.isPaused(LONG_LIVED_TOKEN)).to.equal(false);
  });

  it('should end the pause when the token expires', () => {
    const times = { receivedAt: START, expiresAt: START + 500 };
    schedule.recordFailure();
    now = START + 499;
    expect(schedule.isPaused(times)).to.equal(true);
    now = START + 500;
    expect(schedule.isPaused(times)).to.equal(false);
    schedule.recordFailure();
    expect(schedule.isPaused(times)).to.equal(true);
  });

  it('should end the pause when the clock is set back', () => {
    schedule.recordFailure();
    now -= 3 * HOUR;
    expect(schedule.isPaused(LONG_LIVED_TOKEN)).to.equal(false);
  });
});
