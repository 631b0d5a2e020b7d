import { OutboundHttpError, RetryableFailure, TerminalFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import { toFailure } from './failures.js';

const NOW = Date.UTC(2026, 0, 1);

/** Returns the error that Octokit throws for a response of a host. */
function createOctokitError(status: number, headers: Record<string, string> = {}, data: unknown = {}): Error {
  return Object.assign(new Error('HttpError'), { name: 'HttpError', status, response: { status, headers, data } });
}

const convertFailure = (...response: Parameters<typeof createOctokitError>) =>
  toFailure(createOctokitError(...response), NOW) as RetryableFailure | TerminalFailure;

describe('failures of a code host', () => {
  it('should be retryable after the delay of a rate limit, after at most a day', () => {
    const retryDelay = (status: number, headers: Record<string, string>, data: unknown = {}) => {
      const error = convertFailure(status, headers, data);
      expect(error).to.be.instanceOf(RetryableFailure).with.property('code', 'codehost_rate_limited');
      return (error as RetryableFailure).retryAfterMs;
    };

    expect(retryDelay(429, { 'retry-after': '120' })).to.equal(120_000);
    expect(retryDelay(403, { 'retry-after': '7' })).to.equal(7_000);
    expect(retryDelay(403, { 'retry-after': '999999999' })).to.equal(86_400_000);
    expect(retryDelay(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 90) })).to.equal(
      90_000,
    );
    expect(retryDelay(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 - 90) })).to.equal(
      1_000,
    );
    expect(retryDelay(429, {})).to.equal(60_000);
    expect(
      retryDelay(403, { 'x-ratelimit-remaining': '12' }, { message: 'You have exceeded a secondary rate limit.' }),
    ).to.equal(60_000);
    expect(retryDelay(429, { 'retry-after': 'soon' })).to.equal(60_000);
  });

  it('should be permanent if a 403 response is not a rate limit', () => {
    for (const headers of [{}, { 'x-ratelimit-remaining': '12' }, { 'x-ratelimit-reset': '1' }] as Record<
      string,
      string
    >[]) {
      expect(convertFailure(403, headers, { message: 'Resource not accessible' }))
        .to.be.instanceOf(TerminalFailure)
        .with.property('code', 'codehost_forbidden');
    }
  });

  it('should be retryable if the code host is unavailable', () => {
    for (const status of [408, 425, 500, 502, 503, 504])
      expect(convertFailure(status), String(status))
        .to.be.instanceOf(RetryableFailure)
        .with.property('code', 'codehost_unavailable');
    expect(convertFailure(503, { 'retry-after': '5' })).to.have.property('retryAfterMs', 5_000);
  });

  it('should have a message of one bounded line', () => {
    const { message } = convertFailure(422, {}, { message: `Line\n\u0000line \ud800${'x'.repeat(1_000)}` });

    expect(message)
      .to.match(/^The code host responded with status 422: Line line \ufffdx+\.$/)
      .with.length.below(400);
    expect(convertFailure(404, {}, '<html>').message).to.equal('The code host responded with status 404.');
  });

  it('should stay unchanged if the request failed without a response', () => {
    const cause = new OutboundHttpError('outbound_unreachable', 'The host is unreachable.', true);

    expect(toFailure(Object.assign(new Error('wrapped', { cause }), { status: 500 }), NOW)).to.equal(cause);
    expect(toFailure(cause, NOW)).to.equal(cause);
  });
});
