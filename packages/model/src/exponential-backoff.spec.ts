import { expect } from 'chai';
import { computeExponentialBackoffMs } from './exponential-backoff.js';

describe('computeExponentialBackoffMs', () => {
  it('should double with each attempt up to the maximum', () => {
    const backoffs = [1, 2, 3, 8, 9, 10, 5_000].map((attempt) => computeExponentialBackoffMs(attempt, 1_000, 300_000));
    expect(backoffs).to.deep.equal([1_000, 2_000, 4_000, 128_000, 256_000, 300_000, 300_000]);
  });
});
