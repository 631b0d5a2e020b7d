import { expect } from 'chai';
import { TimerBackoff } from './timer-backoff.js';

describe('TimerBackoff', () => {
  let now: number;
  let backoff: TimerBackoff;

  beforeEach(() => {
    now = 0;
    backoff = new TimerBackoff({ firstMs: 1_000, maxMs: 60_000, maxTransientMs: 2_000 }, () => now);
  });

  const collectPauses = (key: string, isTransient: boolean): number[] =>
    Array.from({ length: 8 }, () => {
      const { pauseMs } = backoff.recordFailure(key, isTransient);
      now += pauseMs;
      return pauseMs;
    });

  it('should double each pause up to the maximum', () => {
    expect(collectPauses('a', false)).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('should keep pauses short after a transient fault', () => {
    expect(collectPauses('a', true)).to.deep.equal([1_000, ...Array.from({ length: 7 }, () => 2_000)]);
  });

  it('should not lengthen the pause after a permanent fault because of earlier transient faults', () => {
    for (let attempt = 0; attempt < 8; attempt += 1) now += backoff.recordFailure('a', true).pauseMs;
    expect(backoff.recordFailure('a', false).pauseMs).to.equal(1_000);
  });

  it('should count failures during a pause as one attempt', () => {
    backoff.recordFailure('a', false);
    now = 400;
    expect(backoff.recordFailure('a', false)).to.deep.equal({ attempts: 1, pauseMs: 600 });
  });

  it('should start with the first pause after a success', () => {
    collectPauses('a', false);
    backoff.recordSuccess('a');
    expect(backoff.recordFailure('a', false)).to.deep.equal({ attempts: 1, pauseMs: 1_000 });
  });

  it('should return the paused keys and the time until the next attempt', () => {
    backoff.recordFailure('a', false);
    now = 400;
    backoff.recordFailure('b', false);
    expect([backoff.pausedKeys(), backoff.msUntilNextRetry()]).to.deep.equal([['a', 'b'], 600]);
    now = 1_000;
    expect([
      backoff.pausedKeys(),
      backoff.msUntilNextRetry(),
      backoff.isPaused('a'),
      backoff.isPaused('b'),
    ]).to.deep.equal([['b'], 400, false, true]);
    now = 1_400;
    expect([backoff.pausedKeys(), backoff.msUntilNextRetry(), backoff.count]).to.deep.equal([[], Infinity, 2]);
  });

  it('should forget a key that is not kept, unless it is still paused', () => {
    for (const key of ['removed', 'kept']) backoff.recordFailure(key, false);
    now = 500;
    backoff.recordFailure('paused', false);
    now = 1_000;
    backoff.keepOnly(new Set(['kept']));
    expect(backoff.count).to.equal(2);
    expect(backoff.recordFailure('removed', false).attempts).to.equal(1);
  });
});
