import { expect } from 'chai';
import { DatabaseClock } from './database-clock.js';

const MINUTES = 60_000;

describe('DatabaseClock', () => {
  let truth: number;
  let ahead: number;
  let steady: number;
  let clock: DatabaseClock;

  beforeEach(() => {
    truth = Date.UTC(2026, 10, 23);
    ahead = 0;
    steady = 5_000;
    clock = new DatabaseClock(
      () => truth + ahead,
      () => steady,
    );
  });

  const pass = (ms: number) => {
    truth += ms;
    steady += ms;
  };
  /** @param roundTripMs duration of the query; by default the database reads its clock halfway through */
  const read = (roundTripMs = 2, readAfterMs = roundTripMs / 2) => {
    const sentAt = steady;
    pass(readAfterMs);
    const databaseTime = truth;
    pass(roundTripMs - readAfterMs);
    clock.correct({ databaseTime, sentAt, receivedAt: steady, maxOffsetMs: 5_000 });
  };

  it('should return the system time before the first reading and while both clocks agree', () => {
    ahead = 10 * MINUTES;
    expect(clock.now()).to.equal(truth + ahead);
    expect(clock.offset).to.equal(undefined);

    ahead = 3;
    read();
    expect(clock.now()).to.equal(truth + 3);
    expect(clock.offset).to.eql({ ms: 3, isTooLarge: false });
  });

  for (const minutes of [10, -10]) {
    it(`should return the database time when the system clock is off by ${minutes} minutes`, () => {
      ahead = minutes * MINUTES;
      read();
      pass(90_000);

      expect(clock.now()).to.equal(truth);
      expect(clock.offset).to.eql({ ms: minutes * MINUTES, isTooLarge: true });
    });
  }

  it('should ignore a change of the system clock between two readings', () => {
    read();
    pass(1_000);
    ahead = 10 * MINUTES;

    expect(clock.now()).to.equal(truth);
    expect(clock.offset).to.include({ isTooLarge: true });
  });

  it('should keep a quick reading that a slow reading confirms, and otherwise use the slow reading', () => {
    ahead = 10 * MINUTES;
    read(2);
    read(800, 0);
    expect(clock.now()).to.equal(truth);

    // The monotonic clock stopped, as it does while a computer sleeps.
    truth += 5 * MINUTES;
    read(800);
    expect(clock.now()).to.equal(truth);
  });

  it('should correct a small offset without marking it as too large', () => {
    ahead = 4_000;
    read();

    expect(clock.now()).to.equal(truth);
    expect(clock.offset).to.eql({ ms: 4_000, isTooLarge: false });
  });
});
