import { expect } from 'chai';
import { scheduleBatch } from './batch-scheduler.js';

/** Schedules a batch while `arrivals[turn]` commands arrive in each turn. @returns the turn of the callback */
function findBatchTurn(arrivals: readonly number[], targetCount = 24): number | undefined {
  let arrivedCount = 0;
  let readyTurn: number | undefined;
  let turn = 0;
  let scheduledCallback: (() => void) | undefined;
  scheduleBatch(
    { count: () => arrivedCount, targetCount: () => targetCount },
    () => (readyTurn = turn),
    (callback) => (scheduledCallback = callback),
  );
  for (; scheduledCallback !== undefined; turn += 1) {
    const runCallback = scheduledCallback;
    scheduledCallback = undefined;
    arrivedCount += arrivals[turn] ?? 0;
    runCallback();
  }
  return readyTurn;
}

describe('scheduleBatch()', () => {
  it('should wait while more commands arrive in the next turns', () => {
    expect(findBatchTurn([2, 9, 3])).to.equal(3);
  });

  it('should wait one idle turn if only one command arrives', () => {
    expect(findBatchTurn([1])).to.equal(1);
  });

  it('should not wait when enough commands are waiting', () => {
    expect(findBatchTurn([24, 8])).to.equal(0);
    expect(findBatchTurn([12, 12, 8])).to.equal(1);
  });

  it('should stop waiting after ten turns even if commands keep arriving', () => {
    expect(
      findBatchTurn(
        Array.from({ length: 50 }, () => 1),
        1_000,
      ),
    ).to.equal(9);
  });

  it('should not call back synchronously', () => {
    let called = false;
    scheduleBatch(
      { count: () => 100, targetCount: () => 1 },
      () => (called = true),
      () => undefined,
    );
    expect(called).to.equal(false);
  });
});
