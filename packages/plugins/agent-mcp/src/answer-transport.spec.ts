import { type JSONRPCMessage, PROTOCOL_VERSION_META_KEY, type Transport } from '@modelcontextprotocol/client';
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

  const ask = (method: string, isStateless = false, signal?: AbortSignal): Promise<void> =>
    transport.send(
      {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: isStateless ? { _meta: { [PROTOCOL_VERSION_META_KEY]: '2026-07-28' } } : {},
      },
      signal === undefined ? undefined : { requestSignal: signal },
    );
  const answered = (result: object): unknown => {
    inner.onmessage?.({ jsonrpc: '2.0', id: 1, result } as JSONRPCMessage);
    return (heard.at(-1) as { result?: unknown } | undefined)?.result;
  };

  for (const method of ['tools/list', 'tools/call']) {
    it(`should hand on unseen what a server says to ${method}`, async () => {
      const said = { tools: 7, content: 7, resultType: 'odd' };
      await ask(method, true);

      const result = answered(said) as Record<string, unknown>;

      expect(result[ANSWER]).to.equal(said);
      expect(result).to.include({ resultType: 'complete' });
    });
  }

  it('should hand on of what servers say of themselves what is needed alone', async () => {
    const icons = Array.from({ length: 1_000 }, () => 7);
    await ask('initialize');
    expect(answered({ protocolVersion: '2025-11-25', serverInfo: { icons }, capabilities: 7 })).to.eql({
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: '', version: '' },
    });
    await ask('server/discover', true);
    expect(answered({ supportedVersions: ['2026-07-28', 7, ...icons], serverInfo: { icons } })).to.eql({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {},
    });
    await ask('server/discover', true);
    expect(answered({ supportedVersions: '2026-07-28' })).to.eql({});
  });

  it('should leave alone what is no answer to that', async () => {
    await ask('ping');
    expect(answered({ a: 1 })).to.eql({ a: 1 });
    await ask('tools/call');
    inner.onmessage?.({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'No.' } });
    expect(heard.at(-1)).to.have.property('error');
    expect(answered({ a: 2 })).to.eql({ a: 2 });
  });

  for (const [what, isStateless, more, isLeft] of [
    ['wants to be asked again', true, {}, true],
    ['wants so by an empty list of requests', true, { inputRequests: {} }, true],
    ['asks for something', true, { inputRequests: { a: {} } }, false],
    ['wants to be reminded of too much', true, { requestState: 'x'.repeat(65_537) }, false],
    ['wants to be reminded of nothing', true, { requestState: 7 }, false],
    ['is of another revision', false, {}, false],
  ] as const) {
    it(`should ${isLeft ? 'leave it to the SDK' : 'keep it from the SDK'} where a server ${what}`, async () => {
      await ask('tools/call', isStateless);

      const result = answered({ resultType: 'input_required', requestState: 'a', ...more });

      if (isLeft) expect(result).to.include({ resultType: 'input_required', requestState: 'a' });
      else expect(result).to.have.property(ANSWER);
    });
  }

  it('should tell of what is cancelled, and keep its signal to itself', async () => {
    const stop = new AbortController();
    await ask('tools/call', true, stop.signal);

    stop.abort();

    expect(cancelled).to.eql([1]);
    expect(options).to.eql({});
    expect(answered({ late: true })).to.eql({ late: true });
  });
});
