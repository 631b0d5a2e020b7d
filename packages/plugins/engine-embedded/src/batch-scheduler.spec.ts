import { expect } from 'chai';
import { scheduleBatch } from './batch-scheduler.js';

/** Schedules a batch while `arrivals` commands arrive in each turn. @returns the turn of the callback */
function turnOf(arrivals: readonly number[], enough = 24): number | undefined {
  let there = 0;
  let gatheredAt: number | undefined;
  let turn = 0;
  let next: (() => void) | undefined;
  scheduleBatch(
    { count: () => there, enough: () => enough },
    () => (gatheredAt = turn),
    (callback) => (next = callback),
  );
  for (; next !== undefined; turn += 1) {
    const look = next;
    next = undefined;
    there += arrivals[turn] ?? 0;
    look();
  }
  return gatheredAt;
}

describe('scheduleBatch()', () => {
  it('should wait while more commands arrive in the next turns', () => {
    expect(turnOf([2, 9, 3])).to.equal(3);
  });

  it('should wait one more turn if only one command arrives', () => {
    expect(turnOf([1])).to.equal(1);
  });

  it('should not wait when enough commands are waiting', () => {
    expect(turnOf([24, 8])).to.equal(0);
    expect(turnOf([12, 12, 8])).to.equal(1);
  });

  it('should stop waiting after ten turns although commands keep arriving', () => {
    expect(
      turnOf(
        Array.from({ length: 50 }, () => 1),
        1_000,
      ),
    ).to.equal(9);
  });

  it('should not call back synchronously', () => {
    let called = false;
    scheduleBatch(
      { count: () => 100, enough: () => 1 },
      () => (called = true),
      () => undefined,
    );
    expect(called).to.equal(false);
  });
});
