import { expect } from 'chai';
import { fullBatchSize, sizeOfNextBatch } from './batch-size.js';

const OPTIONS = { maxBatch: 64, maxConcurrentBatches: 2, minConcurrentBatch: 12 };

const sizeOf = (waiting: number, underWay: number): number => sizeOfNextBatch(waiting, underWay, OPTIONS);

describe('number of commands in a transaction', () => {
  it('should include all waiting commands if no transaction is in progress', () => {
    expect([0, 1, 11].map((waiting) => sizeOf(waiting, 0))).to.deep.equal([0, 1, 11]);
  });

  it('should include all waiting commands if the rest would be too few for another transaction', () => {
    expect([12, 16, 23].map((waiting) => sizeOf(waiting, 0))).to.deep.equal([12, 16, 23]);
  });

  it('should be half of the waiting commands if the other half is enough for another transaction', () => {
    // given
    const first = sizeOf(32, 0);

    // when
    const second = sizeOf(32 - first, 1);

    // then
    expect([first, second]).to.deep.equal([16, 16]);
    expect(sizeOf(25, 0)).to.equal(13);
  });

  it('should be 0 if a transaction is in progress and few commands wait', () => {
    expect([0, 11, 12].map((waiting) => sizeOf(waiting, 1))).to.deep.equal([0, 0, 12]);
  });

  it('should be 0 if the maximum number of transactions is in progress', () => {
    expect(sizeOf(500, 2)).to.equal(0);
  });

  it('should never exceed the maximum of a transaction', () => {
    expect(sizeOf(500, 0)).to.equal(64);
    expect(sizeOf(500, 1)).to.equal(64);
    expect(sizeOfNextBatch(70, 0, { ...OPTIONS, maxConcurrentBatches: 1 })).to.equal(64);
  });

  it('should start a batch immediately when the waiting commands fill all free transactions', () => {
    expect([0, 1, 2].map((underWay) => fullBatchSize(underWay, OPTIONS))).to.deep.equal([24, 12, 0]);
  });
});
