import { expect } from 'chai';
import { Refresher } from './refresher.js';

describe('Refresher', () => {
  let loads: number;
  let pauses: number[];
  let endPause: () => void;
  let refresher: Refresher;

  beforeEach(() => {
    loads = 0;
    pauses = [];
    refresher = new Refresher(
      () => {
        loads += 1;
        return Promise.resolve();
      },
      (ms) => {
        pauses.push(ms);
        return new Promise((resolve) => (endPause = resolve));
      },
    );
  });

  async function finishPause(): Promise<void> {
    endPause();
    // The waiting code uses only promises, so microtasks are enough.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }

  it('should load immediately for the first change and once for all changes during the pause', async () => {
    // when
    for (let change = 0; change < 100; change += 1) refresher.invalidate(['approvals'], 160);
    expect(loads).to.equal(1);
    await finishPause();
    // then
    expect(loads).to.equal(2);
    await finishPause();
    expect(loads).to.equal(2);
  });

  it('should double the pause up to its maximum while changes continue, and reset the pause afterwards', async () => {
    // when
    for (let change = 0; change < 6; change += 1) {
      refresher.invalidate(['approvals'], 160);
      refresher.invalidate(['approvals'], 160);
      await finishPause();
    }
    await finishPause();
    refresher.invalidate(['approvals'], 160);
    // then
    expect(pauses).to.deep.equal([20, 40, 80, 160, 160, 160, 160, 20]);
  });
});
