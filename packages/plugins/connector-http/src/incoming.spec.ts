import { type OutboundResponse, RetryableFailure, TerminalFailure } from '@countersign/core/plugin';
import { expect } from 'chai';
import { HttpInput } from './http-input.js';
import { failureOf, incoming } from './incoming.js';

describe('the response to an HTTP call', () => {
  const NOW = Date.UTC(2026, 0, 1);
  const answer = (
    status: number,
    headers: Record<string, string> = {},
    body: string | Buffer = '',
  ): OutboundResponse => ({ status, url: 'https://api.example/secret-path', headers, body: Buffer.from(body) });
  const failure = (status: number, input: object = {}, headers: Record<string, string> = {}) =>
    failureOf(answer(status, headers), HttpInput.parse({ url: 'u', ...input }), NOW);

  it('should be a result, a permanent failure or a retryable failure, depending on its status', () => {
    for (const status of [200, 201, 204, 299]) expect(failure(status), String(status)).to.equal(undefined);
    for (const status of [408, 425, 429, 500, 502, 503, 504])
      expect(failure(status), String(status))
        .to.be.instanceOf(RetryableFailure)
        .with.property('code', `http_status_${status}`);
    for (const status of [304, 400, 401, 404, 409, 422, 501])
      expect(failure(status), String(status))
        .to.be.instanceOf(TerminalFailure)
        .with.property('code', `http_status_${status}`);
    expect(failure(404)?.message).to.equal('api.example responded with status 404.');
  });

  it('should be classified by the status lists of the BPMN model', () => {
    expect(failure(404, { resultOn: [404] })).to.equal(undefined);
    expect(failure(503, { retryOn: [] })).to.be.instanceOf(TerminalFailure);
    expect(failure(409, { retryOn: [409] })).to.be.instanceOf(RetryableFailure);
  });

  it('should be retried after the delay in the Retry-After header, at most after a day', () => {
    const wait = (header: string) => (failure(429, {}, { 'retry-after': header }) as RetryableFailure).retryAfterMs;

    expect(wait('120')).to.equal(120_000);
    expect(wait(new Date(NOW + 5_000).toUTCString())).to.equal(5_000);
    expect(wait(new Date(NOW - 5_000).toUTCString())).to.equal(0);
    expect(wait('999999999')).to.equal(86_400_000);
    expect(wait('soon')).to.equal(undefined);
  });

  it('should be parsed by its content type', () => {
    const read = (type: string, body: string | Buffer) => {
      const { body: value, bodyType } = incoming(answer(200, { 'content-type': type }, body));
      return [bodyType, value];
    };

    expect(read('application/json; charset=utf-8', '{"a":1}')).to.deep.equal(['json', { a: 1 }]);
    expect(read('application/problem+json', '[]')).to.deep.equal(['json', []]);
    expect(read('text/html; charset=ISO-8859-1', Buffer.from([0xe4]))).to.deep.equal(['text', 'ä']);
    expect(read('application/xml', '<a/>')).to.deep.equal(['text', '<a/>']);
    expect(read('text/plain; charset=klingon', 'x')).to.deep.equal(['binary', 'eA==']);
    expect(read('application/pdf', '%PDF')).to.deep.equal(['binary', 'JVBERg==']);
    expect(read('application/json', '')).to.deep.equal(['none', null]);
  });

  it('should be refused, or read with strings in place of inexact numbers', () => {
    const given = answer(200, { 'content-type': 'application/json' }, '{"id": 8202522731445525542, "n": 12}');

    expect(() => incoming(given))
      .to.throw(TerminalFailure, 'at "/id" of its body')
      .with.property('code', 'http_number_not_exact');
    expect(incoming(given, 'text').body).to.deep.equal({ id: '8202522731445525542', n: 12 });
    const exactByChance = answer(200, { 'content-type': 'application/json' }, '[1764201600000000000, 1e400]');
    expect(() => incoming(exactByChance)).to.throw(TerminalFailure, 'at "/0" of its body');
    expect(incoming(exactByChance, 'text').body).to.deep.equal(['1764201600000000000', '1e400']);
    expect(HttpInput.parse({ url: 'u' }).inexactNumbers).to.equal('refuse');
  });

  it('should be refused without quoting its content if the body is not valid JSON', () => {
    expect(() => incoming(answer(200, { 'content-type': 'application/json' }, '{"a": hidden')))
      .to.throw(TerminalFailure)
      .with.property('message')
      .that.contains('api.example')
      .and.not.contains('hidden');
  });
});
