import { expect } from 'chai';
import { computeCostMicros } from './money.js';

describe('computeCostMicros()', () => {
  const usage = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 600, cacheWriteTokens: 300 };

  it('should charge input, output and cached tokens at their own prices', () => {
    const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

    expect(computeCostMicros(usage, price)).to.equal(100 * 3 + 600 * 0.3 + 300 * 3.75 + 100 * 15);
  });

  it('should charge cached tokens at the full price when no cache price is set', () => {
    expect(computeCostMicros(usage, { input: 3, output: 15 })).to.equal(1_000 * 3 + 100 * 15);
  });

  it('should charge nothing for cached tokens when the cache price is zero', () => {
    expect(computeCostMicros(usage, { input: 3, output: 15, cacheRead: 0, cacheWrite: 0 })).to.equal(
      100 * 3 + 100 * 15,
    );
  });

  it('should round the cost up to a whole millionth', () => {
    expect(computeCostMicros({ inputTokens: 1, outputTokens: 0 }, { input: 0.1, output: 0 })).to.equal(1);
    expect(computeCostMicros({ inputTokens: 30, outputTokens: 0 }, { input: 0.1, output: 0 })).to.equal(3);
  });
});
