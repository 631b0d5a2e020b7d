import { expect } from 'chai';
import { findError, parseErrorBody, parseErrorText } from './error-body.js';

describe('parseErrorBody()', () => {
  it('should collect the codes on the path to the message as lower-case strings', () => {
    const bodyWithCodes = [
      { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Slow down.', type: 'Requests' }, code: 'out' },
    ];
    const { detail, codes } = parseErrorBody(bodyWithCodes);
    expect(detail).to.equal('Slow down.');
    expect([...codes].sort()).to.deep.equal(['429', 'out', 'requests', 'resource_exhausted']);
  });

  it('should read an error that is embedded as JSON in the message of another error', () => {
    const embeddedError = { error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' } };
    const { detail, codes } = parseErrorBody({
      error: { message: JSON.stringify(embeddedError), status: 'Too Many Requests' },
    });
    expect(detail).to.equal('Slow down.');
    expect(codes).to.include.members(['429', 'resource_exhausted']);
    for (const text of ['{"a":1}', '{"error', '[]', '{'.repeat(100_000)])
      expect(parseErrorBody({ message: text }).detail).to.equal(text);
  });

  it('should read the names of quotas and the longest requested delay', () => {
    const createBody = (...delays: readonly unknown[]) => [
      {
        error: {
          message: 'Slow down.',
          details: [
            { violations: [{ quotaId: 'RequestsPerMinute' }, { quotaId: 'RequestsPerDay' }] },
            ...delays.map((retryDelay) => ({ retryDelay })),
          ],
        },
      },
    ];
    expect(parseErrorBody(createBody('34.5s', '2s'))).to.deep.include({
      codes: ['requestsperminute', 'requestsperday'],
      retryAfterMs: 34_500,
    });
    for (const delay of ['', 's', '-1s', '1e9s', '5m', 5, null, { seconds: 5 }])
      expect(parseErrorBody(createBody(delay)), String(delay)).not.to.have.property('retryAfterMs');
  });

  it('should read the error from lines of JSON, even if a line is cut off', () => {
    const lines = '{"id":"m"}\n{"error":{"message":"Failed.","code":"out"}}\n{"id":';
    expect(parseErrorText(lines)).to.deep.equal({ detail: 'Failed.', codes: ['out'] });
    expect(parseErrorText('{"id":"m"}\n{"id":"n"}').detail).to.equal('{"id":"m"}\n{"id":"n"}');
  });

  it('should include the location of an error in the request', () => {
    expect(
      parseErrorBody({
        detail: [
          { loc: ['body', 'messages', 2, 'name'], msg: 'Field required' },
          { loc: [null, {}], msg: 'Invalid value' },
        ],
      }).detail,
    ).to.equal('body.messages.2.name: Field required; Invalid value');
  });

  it('should return no detail when the body has no message or nests it too deeply', () => {
    for (const body of [
      null,
      undefined,
      7,
      true,
      {},
      [],
      { error: {} },
      { message: ' ' },
      { error: { message: null } },
    ])
      expect(parseErrorBody(body).detail, JSON.stringify(body)).to.equal(undefined);
    let nested: unknown = 'It is deep.';
    for (let depth = 0; depth < 10_000; depth += 1) nested = { error: nested };
    expect(parseErrorBody(nested).detail).to.equal(undefined);
  });

  it('should return the text unchanged when it is not JSON or has no known error field', () => {
    for (const text of ['<html>Bad gateway</html>', '{"wrong":"It failed."}', '{"error":'])
      expect(parseErrorText(text).detail).to.equal(text);
    expect(parseErrorText('{"errors":{"name":["is missing"]},"message":"It is invalid."}').detail).to.equal(
      'It is invalid.',
    );
  });
});

describe('findError()', () => {
  it('should return undefined for a body without an error', () => {
    for (const body of [
      { object: 'list', data: [] },
      { id: 'c', choices: [{ message: { content: 'Yes.' } }], error: null },
      { choices: [], prompt_filter_results: [{ content_filter_results: {} }] },
      { type: 'message', content: [{ type: 'text', text: 'error' }], usage: {} },
      { usage: { prompt_tokens: 1 }, detail: 'default' },
      [{ id: 'm', type: 'chat' }],
      { type: 'ping' },
      { id: 'c', base_resp: { status_code: 0, status_msg: '' } },
      { choices: [{ delta: { content: 'Yes.' } }], base_resp: { status_code: '0', status_msg: 'success' } },
      { base_resp: null },
      {},
      [],
      null,
      'error',
    ])
      expect(findError(body), JSON.stringify(body)).to.equal(undefined);
  });

  it('should find an error regardless of the surrounding fields', () => {
    for (const body of [
      { error: 'Failed.', choices: [] },
      { object: 'error', message: 'Failed.' },
      { type: 'error', error: { message: 'Failed.' } },
      [{ error: { message: 'Failed.' } }],
      { errors: [{ message: 'Failed.' }] },
      { detail: 'Failed.' },
      { base_resp: { status_code: 1008, status_msg: 'Failed.' }, choices: null },
      { choices: [{ delta: {} }], base_resp: { status_code: 1008, status_msg: 'Failed.' } },
    ])
      expect(findError(body)?.detail, JSON.stringify(body)).to.equal('Failed.');
  });
});
