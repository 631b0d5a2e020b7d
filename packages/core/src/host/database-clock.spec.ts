import { expect } from 'chai';
import { DatabaseClock } from './database-clock.js';

const MINUTE_MS = 60_000;

describe('DatabaseClock', () => {
  let trueTime: number;
  let systemOffsetMs: number;
  let monotonicMs: number;
  let clock: DatabaseClock;

  beforeEach(() => {
    trueTime = Date.UTC(2026, 10, 23);
    systemOffsetMs = 0;
    monotonicMs = 5_000;
    clock = new DatabaseClock(
      () => trueTime + systemOffsetMs,
      () => monotonicMs,
    );
  });

  const advanceTime = (ms: number) => {
    trueTime += ms;
    monotonicMs += ms;
  };
  /**
   * Takes a reading of the database clock.
   *
   * @param roundTripMs duration of the query
   * @param readAfterMs time until the database reads its clock; by default, half of the duration
   */
  const takeReading = (roundTripMs = 2, readAfterMs = roundTripMs / 2) => {
    const sentAt = monotonicMs;
    advanceTime(readAfterMs);
    const databaseTime = trueTime;
    advanceTime(roundTripMs - readAfterMs);
    clock.correct({ databaseTime, sentAt, receivedAt: monotonicMs, maxOffsetMs: 5_000 });
  };

  it('should return the system time before the first reading and while both clocks agree', () => {
    systemOffsetMs = 10 * MINUTE_MS;
    expect(clock.now()).to.equal(trueTime + systemOffsetMs);
    expect(clock.offset).to.equal(undefined);

    systemOffsetMs = 3;
    takeReading();
    expect(clock.now()).to.equal(trueTime + 3);
    expect(clock.offset).to.eql({ ms: 3, isTooLarge: false });
  });

  for (const minutes of [10, -10]) {
    it(`should return the database time when the system clock is off by ${minutes} minutes`, () => {
      systemOffsetMs = minutes * MINUTE_MS;
      takeReading();
      advanceTime(90_000);

      expect(clock.now()).to.equal(trueTime);
      expect(clock.offset).to.eql({ ms: minutes * MINUTE_MS, isTooLarge: true });
    });
  }

  it('should ignore a change of the system clock after a reading', () => {
    takeReading();
    advanceTime(1_000);
    systemOffsetMs = 10 * MINUTE_MS;

    expect(clock.now()).to.equal(trueTime);
    expect(clock.offset).to.include({ isTooLarge: true });
  });

  it('should keep a quick reading that a slow reading confirms, and otherwise use the slow reading', () => {
    systemOffsetMs = 10 * MINUTE_MS;
    takeReading(2);
    takeReading(800, 0);
    expect(clock.now()).to.equal(trueTime);

    // The monotonic clock stopped, as it does while a computer sleeps.
    trueTime += 5 * MINUTE_MS;
    takeReading(800);
    expect(clock.now()).to.equal(trueTime);
  });

  it('should correct a small offset without marking it as too large', () => {
    systemOffsetMs = 4_000;
    takeReading();

    expect(clock.now()).to.equal(trueTime);
    expect(clock.offset).to.eql({ ms: 4_000, isTooLarge: false });
  });
});
