import { expect } from 'chai';
import { growingPause } from './growing-pause.js';

describe('growingPause', () => {
  it('should double with each attempt up to the maximum', () => {
    const pauses = [1, 2, 3, 8, 9, 10, 5_000].map((attempt) => growingPause(attempt, 1_000, 300_000));
    expect(pauses).to.deep.equal([1_000, 2_000, 4_000, 128_000, 256_000, 300_000, 300_000]);
  });
});
