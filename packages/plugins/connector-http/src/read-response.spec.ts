import { type OutboundResponse, RetryableFailure, TerminalFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import { HttpInput } from './http-input.js';
import { toFailure, toHttpOutput } from './read-response.js';

describe('the response to an HTTP call', () => {
  const NOW = Date.UTC(2026, 0, 1);
  const createResponse = (
    status: number,
    headers: Record<string, string> = {},
    body: string | Buffer = '',
  ): OutboundResponse => ({ status, url: 'https://api.example/secret-path', headers, body: Buffer.from(body) });
  const findFailure = (status: number, input: object = {}, headers: Record<string, string> = {}) =>
    toFailure(createResponse(status, headers), HttpInput.parse({ url: 'u', ...input }), NOW);

  it('should be a result, a permanent failure or a retryable failure, depending on its status', () => {
    for (const status of [200, 201, 204, 299]) expect(findFailure(status), String(status)).to.equal(undefined);
    for (const status of [408, 425, 429, 500, 502, 503, 504])
      expect(findFailure(status), String(status))
        .to.be.instanceOf(RetryableFailure)
        .with.property('code', `http_status_${status}`);
    for (const status of [304, 400, 401, 404, 409, 422, 501])
      expect(findFailure(status), String(status))
        .to.be.instanceOf(TerminalFailure)
        .with.property('code', `http_status_${status}`);
    expect(findFailure(404)?.message).to.equal('api.example responded with status 404.');
  });

  it('should be classified by the status lists of the BPMN model', () => {
    expect(findFailure(404, { resultOn: [404] })).to.equal(undefined);
    expect(findFailure(503, { retryOn: [] })).to.be.instanceOf(TerminalFailure);
    expect(findFailure(409, { retryOn: [409] })).to.be.instanceOf(RetryableFailure);
  });

  it('should be retried after the delay in the Retry-After header, at most after a day', () => {
    const retryDelay = (header: string) =>
      (findFailure(429, {}, { 'retry-after': header }) as RetryableFailure).retryAfterMs;

    expect(retryDelay('120')).to.equal(120_000);
    expect(retryDelay(new Date(NOW + 5_000).toUTCString())).to.equal(5_000);
    expect(retryDelay(new Date(NOW - 5_000).toUTCString())).to.equal(0);
    expect(retryDelay('999999999')).to.equal(86_400_000);
    expect(retryDelay('soon')).to.equal(undefined);
  });

  it('should be parsed by its content type', () => {
    const readTypedBody = (type: string, body: string | Buffer) => {
      const { body: value, bodyType } = toHttpOutput(createResponse(200, { 'content-type': type }, body));
      return [bodyType, value];
    };

    expect(readTypedBody('application/json; charset=utf-8', '{"a":1}')).to.deep.equal(['json', { a: 1 }]);
    expect(readTypedBody('application/problem+json', '[]')).to.deep.equal(['json', []]);
    expect(readTypedBody('text/html; charset=ISO-8859-1', Buffer.from([0xe4]))).to.deep.equal(['text', 'ä']);
    expect(readTypedBody('application/xml', '<a/>')).to.deep.equal(['text', '<a/>']);
    expect(readTypedBody('text/plain; charset=klingon', 'x')).to.deep.equal(['binary', 'eA==']);
    expect(readTypedBody('application/pdf', '%PDF')).to.deep.equal(['binary', 'JVBERg==']);
    expect(readTypedBody('application/json', '')).to.deep.equal(['none', null]);
  });

  it('should be refused if it contains inexact numbers, unless they are read as strings', () => {
    const inexactResponse = createResponse(
      200,
      { 'content-type': 'application/json' },
      '{"id": 8202522731445525542, "n": 12}',
    );

    expect(() => toHttpOutput(inexactResponse))
      .to.throw(TerminalFailure, 'at "/id" of its body')
      .with.property('code', 'http_number_not_exact');
    expect(toHttpOutput(inexactResponse, 'text').body).to.deep.equal({ id: '8202522731445525542', n: 12 });
    const roundNumbersResponse = createResponse(
      200,
      { 'content-type': 'application/json' },
      '[1764201600000000000, 1e400]',
    );
    expect(() => toHttpOutput(roundNumbersResponse)).to.throw(TerminalFailure, 'at "/0" of its body');
    expect(toHttpOutput(roundNumbersResponse, 'text').body).to.deep.equal(['1764201600000000000', '1e400']);
    expect(HttpInput.parse({ url: 'u' }).inexactNumbers).to.equal('refuse');
  });

  it('should be refused without quoting its content if the body is not valid JSON', () => {
    expect(() => toHttpOutput(createResponse(200, { 'content-type': 'application/json' }, '{"a": hidden')))
      .to.throw(TerminalFailure)
      .with.property('message')
      .that.contains('api.example')
      .and.not.contains('hidden');
  });
});
