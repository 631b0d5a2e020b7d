import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { ANSWER, AnswerTransport } from './answer-transport.js';

describe('AnswerTransport', () => {
  let inner: Transport;
  let transport: AnswerTransport;
  let heard: JSONRPCMessage[];
  let cancelled: unknown[];
  let options: unknown;

  beforeEach(() => {
    [heard, cancelled, options] = [[], [], undefined];
    inner = {
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
      send: (_message, given) => {
        options = given;
        return Promise.resolve();
      },
    };
    transport = new AnswerTransport(inner, (id) => cancelled.push(id));
    transport.onmessage = (message) => heard.push(message);
  });

  const ask = (method: string, signal?: AbortSignal): Promise<void> =>
    transport.send(
      { jsonrpc: '2.0', id: 1, method, params: {} },
      signal === undefined ? undefined : { requestSignal: signal },
    );
  const answered = (result: object): unknown => {
    inner.onmessage?.({ jsonrpc: '2.0', id: 1, result } as JSONRPCMessage);
    return (heard.at(-1) as { result?: unknown } | undefined)?.result;
  };

  for (const method of ['tools/list', 'tools/call']) {
    it(`should pass the result of ${method} on without validating it`, async () => {
      const said = { tools: 7, content: 7, resultType: 'odd' };
      await ask(method);

      const result = answered(said) as Record<string, unknown>;

      expect(result[ANSWER]).to.equal(said);
      expect(result).to.include({ resultType: 'complete' });
    });
  }

  it('should reduce the response to initialize or server/discover to the required fields', async () => {
    const icons = Array.from({ length: 1_000 }, () => 7);
    await ask('initialize');
    expect(answered({ protocolVersion: '2025-11-25', serverInfo: { icons }, capabilities: 7 })).to.eql({
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: '', version: '' },
    });
    await ask('server/discover');
    expect(answered({ supportedVersions: ['2026-07-28', 7, ...icons], serverInfo: { icons } })).to.eql({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {},
    });
    await ask('server/discover');
    expect(answered({ supportedVersions: '2026-07-28' })).to.eql({});
  });

  it('should not change other responses, errors or notifications', async () => {
    await ask('ping');
    expect(answered({ a: 1 })).to.eql({ a: 1 });
    await ask('tools/call');
    inner.onmessage?.({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'No.' } });
    expect(heard.at(-1)).to.have.property('error');
    inner.onmessage?.({ jsonrpc: '2.0', method: 'notifications/message' });
    expect(heard.at(-1)).to.have.property('method');
  });

  it('should accept only the first response to a request, with its id as a number or a string', async () => {
    // given
    await ask('tools/list');
    const say = (id: string | number): void => inner.onmessage?.({ jsonrpc: '2.0', id, result: { tools: [] } });

    // when
    for (const id of ['01', '1.0', ' 1', '', 2]) say(id);
    expect(heard).to.eql([]);
    say('1');
    say(1);

    // then
    expect(heard).to.have.length(1);
    expect(heard[0]).to.include({ id: 1 });
  });

  it('should report an aborted request without passing its signal to the inner transport', async () => {
    const stop = new AbortController();
    await ask('tools/call', stop.signal);

    stop.abort();

    expect(cancelled).to.eql([1]);
    expect(options).to.eql({});
    expect(answered({ late: true })).to.equal(undefined);
  });
});
