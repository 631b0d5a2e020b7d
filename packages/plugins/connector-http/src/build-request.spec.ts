import { TerminalFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import { HttpInput } from './http-input.js';
import { buildRequest } from './build-request.js';

describe('the request of an HTTP call', () => {
  const buildTestRequest = (input: object) =>
    buildRequest(HttpInput.parse({ url: 'https://api.example/a', ...input }), 'job-1');
  const captureRefusal = (input: object): unknown => {
    try {
      return buildTestRequest(input);
    } catch (error) {
      return error;
    }
  };

  it('should carry an idempotency key if its method may change data', () => {
    expect(buildTestRequest({ method: 'POST' }).headers).to.deep.equal({ 'idempotency-key': 'job-1' });
    expect(buildTestRequest({ method: 'DELETE', headers: { 'Idempotency-Key': 'own' } }).headers).to.deep.equal({
      'idempotency-key': 'own',
    });
    expect(buildTestRequest({}).headers).to.deep.equal({});
  });

  it('should append the escaped query to the query of the URL', () => {
    expect(
      buildTestRequest({
        url: 'https://api.example/a?x=1#part',
        query: { q: 'a&b=c', list: [1, true, null], none: null },
      }).url,
    ).to.equal('https://api.example/a?x=1&q=a%26b%3Dc&list=1&list=true#part');
  });

  it('should send strings as text, other values as JSON, and forms if the content type requires a form', () => {
    expect(buildTestRequest({ method: 'POST', body: 'hi' })).to.deep.include({
      body: 'hi',
      headers: { 'idempotency-key': 'job-1', 'content-type': 'text/plain; charset=utf-8' },
    });
    expect(buildTestRequest({ method: 'POST', body: { a: [1] } })).to.deep.include({
      body: '{"a":[1]}',
      headers: { 'idempotency-key': 'job-1', 'content-type': 'application/json' },
    });
    expect(buildTestRequest({ method: 'POST', body: false }).body).to.equal('false');
    expect(
      buildTestRequest({ method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }),
    ).to.deep.include({
      body: '{}',
      headers: { 'idempotency-key': 'job-1', 'content-type': 'application/json' },
    });
    expect(
      buildTestRequest({
        method: 'POST',
        body: { a: 'x&y', b: [1, 2] },
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }).body,
    ).to.equal('a=x%26y&b=1&b=2');
    expect(buildTestRequest({ method: 'POST', body: null })).not.to.have.property('body');
  });

  it('should contain the credential with the name of its secret', () => {
    expect(
      buildTestRequest({ authentication: { type: 'basic', username: 'u', secret: 'PASS' } }).credential,
    ).to.deep.equal({
      type: 'basic',
      username: 'u',
      secret: 'PASS',
    });
    expect(buildTestRequest({})).not.to.have.property('credential');
  });

  it('should be refused if its inputs are invalid or contradictory', () => {
    for (const input of [
      { url: '/relative' },
      { body: 'x' },
      { method: 'POST', body: { a: {} }, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { method: 'POST', body: ['a'], headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { headers: { 'x-api-key': 'plain' }, authentication: { type: 'header', name: 'X-API-Key', secret: 'KEY' } },
    ]) {
      expect(captureRefusal(input), JSON.stringify(input))
        .to.be.instanceOf(TerminalFailure)
        .with.property('code', 'connector_input_invalid');
    }
  });

  it('should refuse a secret value in place of the name of a secret', () => {
    for (const secret of ['Bearer abc', '{{secrets.TOKEN}}', 'ghp_0123.abc', ''])
      expect(HttpInput.safeParse({ url: 'u', authentication: { type: 'bearer', secret } }).success, secret).to.equal(
        false,
      );
  });
});
