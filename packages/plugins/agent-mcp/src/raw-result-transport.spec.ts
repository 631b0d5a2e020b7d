import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { RAW_RESULT, RawResultTransport } from './raw-result-transport.js';

describe('RawResultTransport', () => {
  let inner: Transport;
  let transport: RawResultTransport;
  let received: JSONRPCMessage[];
  let cancelledIds: unknown[];
  let options: unknown;

  beforeEach(() => {
    [received, cancelledIds, options] = [[], [], undefined];
    inner = {
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
      send: (_message, sendOptions) => {
        options = sendOptions;
        return Promise.resolve();
      },
    };
    transport = new RawResultTransport(inner, (id) => cancelledIds.push(id));
    transport.onmessage = (message) => received.push(message);
  });

  const sendRequest = (method: string, signal?: AbortSignal): Promise<void> =>
    transport.send(
      { jsonrpc: '2.0', id: 1, method, params: {} },
      signal === undefined ? undefined : { requestSignal: signal },
    );
  const receiveResult = (result: object): unknown => {
    inner.onmessage?.({ jsonrpc: '2.0', id: 1, result } as JSONRPCMessage);
    return (received.at(-1) as { result?: unknown } | undefined)?.result;
  };

  for (const method of ['tools/list', 'tools/call']) {
    it(`should pass the result of ${method} on without validating it`, async () => {
      const serverResult = { tools: 7, content: 7, resultType: 'odd' };
      await sendRequest(method);

      const result = receiveResult(serverResult) as Record<string, unknown>;

      expect(result[RAW_RESULT]).to.equal(serverResult);
      expect(result).to.include({ resultType: 'complete' });
    });
  }

  it('should reduce the response to initialize or server/discover to the required fields', async () => {
    const icons = Array.from({ length: 1_000 }, () => 7);
    await sendRequest('initialize');
    expect(receiveResult({ protocolVersion: '2025-11-25', serverInfo: { icons }, capabilities: 7 })).to.eql({
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: '', version: '' },
    });
    await sendRequest('server/discover');
    expect(receiveResult({ supportedVersions: ['2026-07-28', 7, ...icons], serverInfo: { icons } })).to.eql({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {},
    });
    await sendRequest('server/discover');
    expect(receiveResult({ supportedVersions: '2026-07-28' })).to.eql({});
  });

  it('should not change other responses, errors or notifications', async () => {
    await sendRequest('ping');
    expect(receiveResult({ a: 1 })).to.eql({ a: 1 });
    await sendRequest('tools/call');
    inner.onmessage?.({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'Internal error' } });
    expect(received.at(-1)).to.have.property('error');
    inner.onmessage?.({ jsonrpc: '2.0', method: 'notifications/message' });
    expect(received.at(-1)).to.have.property('method');
  });

  it('should accept only the first response to a request, with its id as a number or a string', async () => {
    // given
    await sendRequest('tools/list');
    const respond = (responseId: string | number): void =>
      inner.onmessage?.({ jsonrpc: '2.0', id: responseId, result: { tools: [] } });

    // when
    for (const id of ['01', '1.0', ' 1', '', 2]) respond(id);
    expect(received).to.eql([]);
    respond('1');
    respond(1);

    // then
    expect(received).to.have.length(1);
    expect(received[0]).to.include({ id: 1 });
  });

  it('should report an aborted request without passing its signal to the inner transport', async () => {
    const controller = new AbortController();
    await sendRequest('tools/call', controller.signal);

    controller.abort();

    expect(cancelledIds).to.eql([1]);
    expect(options).to.eql({});
    expect(receiveResult({ late: true })).to.equal(undefined);
  });
});
