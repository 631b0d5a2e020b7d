import { expect } from 'chai';
import { findResponseInBody, toMessage, isResponseTo, toMessages, tryParseJson } from './read-message.js';

describe('read-message', () => {
  const result = { content: [] };
  const error = { code: -32_602, message: 'Unknown colour.' };
  const createMessage = (members: object): object => ({ jsonrpc: '2.0', id: 1, ...members });

  for (const [description, input, expected] of [
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
    it(`should read a response with ${description}`, () => {
      expect(isResponseTo(createMessage(input), 1)).to.equal(true);
      expect(toMessage(createMessage(input))).to.eql(createMessage(expected));
    });
  }

  for (const [description, input] of [
    ['only a null result', createMessage({ result: null })],
    ['a result and an error', createMessage({ result, error })],
    ['a result without an id', { jsonrpc: '2.0', id: null, result }],
    [
      'eleven members',
      createMessage(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`x${index}`, null]))),
    ],
  ] as const) {
    it(`should not accept ${description}`, () => {
      expect(toMessage(input)).to.equal(undefined);
    });
  }

  it('should parse JSON that starts with a byte-order mark', () => {
    expect(tryParseJson('\ufeff{"a":1}')).to.eql({ a: 1 });
    expect(tryParseJson('\ufeff\ufeff{}')).to.equal(undefined);
  });

  it('should keep all digits of integers in structured content, but not elsewhere', () => {
    const messageJson = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"id":9007199254740993,"lines":[1234567890123456789012345,0.12345678901234567891,7,0.1]},"total":18446744073709551615}}`;
    const structuredContent = {
      id: '9007199254740993',
      lines: ['1234567890123456789012345', Number('0.12345678901234567891'), 7, 0.1],
    };

    expect(tryParseJson(messageJson(1))).to.have.deep.nested.property('result.structuredContent', structuredContent);
    expect(tryParseJson(messageJson(1))).to.have.nested.property('result.total', Number('18446744073709551615'));
    expect(tryParseJson(`[7,${messageJson(1)},{"id":2},${messageJson(3)}]`))
      .to.have.deep.nested.property('[3].result.structuredContent', structuredContent)
      .and.not.to.equal(undefined);
    expect(tryParseJson(`[7,${messageJson(1)},{"id":2}]`)).to.have.nested.property('[2].id', 2);
  });

  it('should find the response to a request outside and inside a batch', () => {
    const otherMessages = [7, null, createMessage({ id: 2, result }), createMessage({ method: 'ping' })];

    expect(findResponseInBody(toMessages(createMessage({ result })), 1)).to.eql(createMessage({ result }));
    expect(findResponseInBody(toMessages([...otherMessages, createMessage({ id: '1', result })]), 1)).to.eql(
      createMessage({ id: '1', result }),
    );
    expect(findResponseInBody(toMessages(otherMessages), 1)).to.equal(undefined);
  });

  it('should treat an error without an id as the response if it is the only message', () => {
    const errorWithoutId = { jsonrpc: '2.0', error };

    for (const input of [errorWithoutId, { ...errorWithoutId, id: null }, [errorWithoutId]])
      expect(findResponseInBody(toMessages(input), 1)).to.eql(createMessage({ error }));
    for (const input of [
      createMessage({ id: 2, error }),
      createMessage({ id: '', error }),
      [errorWithoutId, errorWithoutId],
      [errorWithoutId, 7],
    ])
      expect(findResponseInBody(toMessages(input), 1)).to.equal(undefined);
  });
});
