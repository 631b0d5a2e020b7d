import { OutboundHttpError, RetryableFailure, TerminalFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import { failureOf } from './failures.js';

const NOW = Date.UTC(2026, 0, 1);

/** Returns the error that Octokit throws for a response of a host. */
function thrown(status: number, headers: Record<string, string> = {}, data: unknown = {}): Error {
  return Object.assign(new Error('HttpError'), { name: 'HttpError', status, response: { status, headers, data } });
}

const failure = (...answer: Parameters<typeof thrown>) =>
  failureOf(thrown(...answer), NOW) as RetryableFailure | TerminalFailure;

describe('failures of a code host', () => {
  it('should be retryable after the delay of a rate limit, at most after a day', () => {
    const wait = (status: number, headers: Record<string, string>, data: unknown = {}) => {
      const found = failure(status, headers, data);
      expect(found).to.be.instanceOf(RetryableFailure).with.property('code', 'codehost_rate_limited');
      return (found as RetryableFailure).retryAfterMs;
    };

    expect(wait(429, { 'retry-after': '120' })).to.equal(120_000);
    expect(wait(403, { 'retry-after': '7' })).to.equal(7_000);
    expect(wait(403, { 'retry-after': '999999999' })).to.equal(86_400_000);
    expect(wait(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 90) })).to.equal(90_000);
    expect(wait(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 - 90) })).to.equal(1_000);
    expect(wait(429, {})).to.equal(60_000);
    expect(
      wait(403, { 'x-ratelimit-remaining': '12' }, { message: 'You have exceeded a secondary rate limit.' }),
    ).to.equal(60_000);
    expect(wait(429, { 'retry-after': 'soon' })).to.equal(60_000);
  });

  it('should be permanent if a 403 response is not a rate limit', () => {
    for (const headers of [{}, { 'x-ratelimit-remaining': '12' }, { 'x-ratelimit-reset': '1' }] as Record<
      string,
      string
    >[]) {
      expect(failure(403, headers, { message: 'Resource not accessible' }))
        .to.be.instanceOf(TerminalFailure)
        .with.property('code', 'codehost_forbidden');
    }
  });

  it('should be retryable if the code host is unavailable', () => {
    for (const status of [408, 425, 500, 502, 503, 504])
      expect(failure(status), String(status))
        .to.be.instanceOf(RetryableFailure)
        .with.property('code', 'codehost_unavailable');
    expect(failure(503, { 'retry-after': '5' })).to.have.property('retryAfterMs', 5_000);
  });

  it('should have a message of one bounded line', () => {
    const { message } = failure(422, {}, { message: `Line\n\u0000line \ud800${'x'.repeat(1_000)}` });

    expect(message)
      .to.match(/^The code host responded with status 422: Line line \ufffdx+\.$/)
      .with.length.below(400);
    expect(failure(404, {}, '<html>').message).to.equal('The code host responded with status 404.');
  });

  it('should stay unchanged if the request failed before a response', () => {
    const cause = new OutboundHttpError('outbound_unreachable', 'no', true);

    expect(failureOf(Object.assign(new Error('wrapped', { cause }), { status: 500 }), NOW)).to.equal(cause);
    expect(failureOf(cause, NOW)).to.equal(cause);
  });
});
