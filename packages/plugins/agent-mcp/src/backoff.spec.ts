import { expect } from 'chai';
import { Backoff } from './backoff.js';

describe('Backoff', () => {
  let now: number;
  let backoff: Backoff;

  beforeEach(() => {
    now = Date.UTC(2026, 0, 5);
    backoff = new Backoff(() => now);
  });

  it('should require a pause only after the second consecutive failure', () => {
    expect(backoff.mustWait).to.equal(false);
    backoff.recordFailure();
    expect(backoff.mustWait).to.equal(false);
    backoff.recordFailure();
    expect(backoff.mustWait).to.equal(true);
    backoff.recordSuccess();
    expect(backoff.mustWait).to.equal(false);
  });

  it('should require the pause that the server requests', () => {
    expect(backoff.recordFailure(120_000)).to.equal(120_000);
    expect(backoff.mustWait).to.equal(true);
    now += 119_999;
    expect(backoff.mustWait).to.equal(true);
    now += 1;
    expect(backoff.mustWait).to.equal(false);
  });

  it('should limit the pause to ten minutes', () => {
    expect(backoff.recordFailure(Number.MAX_SAFE_INTEGER)).to.equal(600_000);
  });
});
