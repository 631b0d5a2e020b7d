import { expect } from 'chai';
import { errorWithin, readError, readErrorText } from './error-body.js';

describe('readError()', () => {
  it('should collect codes, in lower case and as texts, on the way to what is said', () => {
    const body = [
      { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Slowly.', type: 'Requests' }, code: 'out' },
    ];
    const { detail, codes } = readError(body);
    expect(detail).to.equal('Slowly.');
    expect([...codes].sort()).to.deep.equal(['429', 'out', 'requests', 'resource_exhausted']);
  });

  it('should read an error that another one has as its text', () => {
    const inner = { error: { code: 429, message: 'Slowly.', status: 'RESOURCE_EXHAUSTED' } };
    const { detail, codes } = readError({ error: { message: JSON.stringify(inner), status: 'Too Many Requests' } });
    expect(detail).to.equal('Slowly.');
    expect(codes).to.include.members(['429', 'resource_exhausted']);
    for (const text of ['{"a":1}', '{"error', '[]', '{'.repeat(100_000)])
      expect(readError({ message: text }).detail).to.equal(text);
  });

  it('should read names of quotas, and the longest delay that is asked for', () => {
    const body = (...delays: readonly unknown[]) => [
      {
        error: {
          message: 'Slowly.',
          details: [
            { violations: [{ quotaId: 'RequestsPerMinute' }, { quotaId: 'RequestsPerDay' }] },
            ...delays.map((retryDelay) => ({ retryDelay })),
          ],
        },
      },
    ];
    expect(readError(body('34.5s', '2s'))).to.deep.include({
      codes: ['requestsperminute', 'requestsperday'],
      retryAfterMs: 34_500,
    });
    for (const delay of ['', 's', '-1s', '1e9s', '5m', 5, null, { seconds: 5 }])
      expect(readError(body(delay)), String(delay)).not.to.have.property('retryAfterMs');
  });

  it('should read the error among lines of JSON, also where they are cut off', () => {
    const lines = '{"id":"m"}\n{"error":{"message":"Why.","code":"out"}}\n{"id":';
    expect(readErrorText(lines)).to.deep.equal({ detail: 'Why.', codes: ['out'] });
    expect(readErrorText('{"id":"m"}\n{"id":"n"}').detail).to.equal('{"id":"m"}\n{"id":"n"}');
  });

  it('should say where in the request something is wrong', () => {
    expect(
      readError({
        detail: [
          { loc: ['body', 'messages', 2, 'name'], msg: 'Field required' },
          { loc: [null, {}], msg: 'Else' },
        ],
      }).detail,
    ).to.equal('body.messages.2.name: Field required; Else');
  });

  it('should say nothing where nothing is said, however deep it is looked', () => {
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
      expect(readError(body).detail, JSON.stringify(body)).to.equal(undefined);
    let deep: unknown = 'It is deep.';
    for (let depth = 0; depth < 10_000; depth += 1) deep = { error: deep };
    expect(readError(deep).detail).to.equal(undefined);
  });

  it('should take a text as it is where it is no JSON, or says nothing that is known', () => {
    for (const text of ['<html>Bad gateway</html>', '{"wrong":"It is why."}', '{"error":'])
      expect(readErrorText(text).detail).to.equal(text);
    expect(readErrorText('{"errors":{"name":["is missing"]},"message":"It is invalid."}').detail).to.equal(
      'It is invalid.',
    );
  });
});

describe('errorWithin()', () => {
  it('should find none in what is no error', () => {
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
      expect(errorWithin(body), JSON.stringify(body)).to.equal(undefined);
  });

  it('should find one whatever is around it', () => {
    for (const body of [
      { error: 'Why.', choices: [] },
      { object: 'error', message: 'Why.' },
      { type: 'error', error: { message: 'Why.' } },
      [{ error: { message: 'Why.' } }],
      { errors: [{ message: 'Why.' }] },
      { detail: 'Why.' },
      { base_resp: { status_code: 1008, status_msg: 'Why.' }, choices: null },
      { choices: [{ delta: {} }], base_resp: { status_code: 1008, status_msg: 'Why.' } },
    ])
      expect(errorWithin(body)?.detail, JSON.stringify(body)).to.equal('Why.');
  });
});
