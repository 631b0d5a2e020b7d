import { expect } from 'chai';
import { answerIn, asMessage, isAnswerTo, messagesOf, parsed } from './read-message.js';

describe('read-message', () => {
  const result = { content: [] };
  const error = { code: -32_602, message: 'Unknown colour.' };
  const message = (more: object): object => ({ jsonrpc: '2.0', id: 1, ...more });

  for (const [what, given, read] of [
    ['a result and a null error', { result, error: null }, { result }],
    ['an error and a null result', { result: null, error }, { error }],
    ['a null method and null parameters', { method: null, params: null, result }, { result }],
    ['null metadata', { result: { ...result, _meta: null } }, { result }],
    ['metadata that are not an object', { result: { ...result, _meta: 7 } }, { result }],
    ['an error whose data are null', { error: { ...error, data: null } }, { error: { ...error, data: null } }],
    [
      'an error without a message',
      { error: { code: 400 } },
      { error: { code: 400, message: 'The error has no message.' } },
    ],
    ['an error whose code is a name', { error: { code: 'E', message: 'x' } }, { error: { code: 0, message: 'E: x' } }],
    ['an error whose code is a number as a string', { error: { ...error, code: '-32602' } }, { error }],
    ['an error that is a string', { error: 'bad' }, { error: { code: 0, message: 'bad' } }],
  ] as const) {
    it(`should read a response with ${what}`, () => {
      expect(isAnswerTo(message(given), 1)).to.equal(true);
      expect(asMessage(message(given))).to.eql(message(read));
    });
  }

  for (const [what, given] of [
    ['only a null result', message({ result: null })],
    ['a result and an error', message({ result, error })],
    ['a result without an id', { jsonrpc: '2.0', id: null, result }],
    ['eleven members', message(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`x${index}`, null])))],
  ] as const) {
    it(`should not accept ${what}`, () => {
      expect(asMessage(given)).to.equal(undefined);
    });
  }

  it('should parse JSON that starts with a byte-order mark', () => {
    expect(parsed('\ufeff{"a":1}')).to.eql({ a: 1 });
    expect(parsed('\ufeff\ufeff{}')).to.equal(undefined);
  });

  it('should keep all digits of integers, only in structured content', () => {
    const text = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"id":9007199254740993,"lines":[1234567890123456789012345,0.12345678901234567891,7,0.1]},"most":18446744073709551615}}`;
    const structuredContent = {
      id: '9007199254740993',
      lines: ['1234567890123456789012345', Number('0.12345678901234567891'), 7, 0.1],
    };

    expect(parsed(text(1))).to.have.deep.nested.property('result.structuredContent', structuredContent);
    expect(parsed(text(1))).to.have.nested.property('result.most', Number('18446744073709551615'));
    expect(parsed(`[7,${text(1)},{"id":2},${text(3)}]`))
      .to.have.deep.nested.property('[3].result.structuredContent', structuredContent)
      .and.not.to.equal(undefined);
    expect(parsed(`[7,${text(1)},{"id":2}]`)).to.have.nested.property('[2].id', 2);
  });

  it('should find the response to a request outside and inside a batch', () => {
    const others = [7, null, message({ id: 2, result }), message({ method: 'ping' })];

    expect(answerIn(messagesOf(message({ result })), 1)).to.eql(message({ result }));
    expect(answerIn(messagesOf([...others, message({ id: '1', result })]), 1)).to.eql(message({ id: '1', result }));
    expect(answerIn(messagesOf(others), 1)).to.equal(undefined);
  });

  it('should treat an error without an id as the response if it is the only message', () => {
    const withoutId = { jsonrpc: '2.0', error };

    for (const given of [withoutId, { ...withoutId, id: null }, [withoutId]])
      expect(answerIn(messagesOf(given), 1)).to.eql(message({ error }));
    for (const given of [message({ id: 2, error }), message({ id: '', error }), [withoutId, withoutId], [withoutId, 7]])
      expect(answerIn(messagesOf(given), 1)).to.equal(undefined);
  });
});
