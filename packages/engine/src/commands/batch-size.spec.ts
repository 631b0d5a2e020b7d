import { expect } from 'chai';
import { countForAllFreeBatches, nextBatchSize } from './batch-size.js';

const OPTIONS = { maxBatch: 64, maxConcurrentBatches: 2, minConcurrentBatch: 12 };

const nextSize = (waiting: number, runningBatches: number): number => nextBatchSize(waiting, runningBatches, OPTIONS);

describe('number of commands in a transaction', () => {
  it('should include all waiting commands if no transaction is in progress', () => {
    expect([0, 1, 11].map((waiting) => nextSize(waiting, 0))).to.deep.equal([0, 1, 11]);
  });

  it('should include all waiting commands if the rest would be too few for another transaction', () => {
    expect([12, 16, 23].map((waiting) => nextSize(waiting, 0))).to.deep.equal([12, 16, 23]);
  });

  it('should be half of the waiting commands if the other half is enough for another transaction', () => {
    // given
    const first = nextSize(32, 0);

    // when
    const second = nextSize(32 - first, 1);

    // then
    expect([first, second]).to.deep.equal([16, 16]);
    expect(nextSize(25, 0)).to.equal(13);
  });

  it('should be 0 if a transaction is in progress and few commands wait', () => {
    expect([0, 11, 12].map((waiting) => nextSize(waiting, 1))).to.deep.equal([0, 0, 12]);
  });

  it('should be 0 if the maximum number of transactions is in progress', () => {
    expect(nextSize(500, 2)).to.equal(0);
  });

  it('should never exceed the maximum of a transaction', () => {
    expect(nextSize(500, 0)).to.equal(64);
    expect(nextSize(500, 1)).to.equal(64);
    expect(nextBatchSize(70, 0, { ...OPTIONS, maxConcurrentBatches: 1 })).to.equal(64);
  });

  it('should start a batch immediately when the waiting commands are enough for all free transactions', () => {
    expect([0, 1, 2].map((runningBatches) => countForAllFreeBatches(runningBatches, OPTIONS))).to.deep.equal([
      24, 12, 0,
    ]);
  });
});
