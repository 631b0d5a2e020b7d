import { expect } from 'chai';
import { exponentialBackoffMs } from './exponential-backoff.js';

describe('exponentialBackoffMs', () => {
  it('should double with each attempt up to the maximum', () => {
    const backoffs = [1, 2, 3, 8, 9, 10, 5_000].map((attempt) => exponentialBackoffMs(attempt, 1_000, 300_000));
    expect(backoffs).to.deep.equal([1_000, 2_000, 4_000, 128_000, 256_000, 300_000, 300_000]);
  });
});
