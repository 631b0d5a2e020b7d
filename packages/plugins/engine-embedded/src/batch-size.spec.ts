import { expect } from 'chai';
import { fullBatchSize, sizeOfNextBatch } from './batch-size.js';

const OPTIONS = { maxBatch: 64, maxConcurrentBatches: 2, minConcurrentBatch: 12 };

const sizeOf = (waiting: number, underWay: number): number => sizeOfNextBatch(waiting, underWay, OPTIONS);

describe('how many commands a transaction takes', () => {
  it('should be those that wait, where no transaction is under way', () => {
    expect([0, 1, 11].map((waiting) => sizeOf(waiting, 0))).to.deep.equal([0, 1, 11]);
  });

  it('should leave none behind that would be too few for a transaction beside it', () => {
    expect([12, 16, 23].map((waiting) => sizeOf(waiting, 0))).to.deep.equal([12, 16, 23]);
  });

  it('should be half of them, where the other half is enough for a transaction beside it', () => {
    // given
    const first = sizeOf(32, 0);

    // when
    const second = sizeOf(32 - first, 1);

    // then
    expect([first, second]).to.deep.equal([16, 16]);
    expect(sizeOf(25, 0)).to.equal(13);
  });

  it('should be none where a transaction is under way and few wait', () => {
    expect([0, 11, 12].map((waiting) => sizeOf(waiting, 1))).to.deep.equal([0, 0, 12]);
  });

  it('should be none where as many transactions are under way as there may be', () => {
    expect(sizeOf(500, 2)).to.equal(0);
  });

  it('should never be more than the most of one transaction', () => {
    expect(sizeOf(500, 0)).to.equal(64);
    expect(sizeOf(500, 1)).to.equal(64);
    expect(sizeOfNextBatch(70, 0, { ...OPTIONS, maxConcurrentBatches: 1 })).to.equal(64);
  });

  it('should be begun with at once where it fills the free transactions', () => {
    expect([0, 1, 2].map((underWay) => fullBatchSize(underWay, OPTIONS))).to.deep.equal([24, 12, 0]);
  });
});
