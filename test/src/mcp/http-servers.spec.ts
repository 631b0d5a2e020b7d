import { randomUUID } from 'node:crypto';
import { type JsonObject, RetryableFailure, ToolError } from '@countersign/core/plugin';
import type { TestDatabase } from '@countersign/embedded-postgres';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { seconds, waitUntil } from '@countersign/testing';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { startService, type Service, type ServiceCall } from '../connectors/connectors.spec.support.js';
import { buildListedTool, startMcpHost, type McpHost } from './mcp.spec.support.js';

const CANARY = 'canary-b0c4e1';
const TOOL = 'mcp.remote.act';

/** Returns a duration in ISO 8601, scaled to the speed of this machine. */
const isoDuration = (count: number): string => `PT${Math.ceil(seconds(count) / 1_000)}S`;

/** Behaviour of the server for the next tool calls. */
type ResponseMode = 'answer' | 'break' | 'fail' | 'stream' | 'echo' | 'refuse' | 'hold' | 'events';

describe('MCP servers over streamable HTTP', () => {
  let database: TestDatabase;
  let service: Service;
  let otherService: Service;
  let host: McpHost | undefined;
  let session: string;
  let tools: JsonObject[];
  let responseMode: ResponseMode;
  let executedCallCount: number;
  /** Number of further calls whose session ends; each receives `sessionEndResponse`. */
  let sessionsToEnd: number;
  let sessionEndResponse: { readonly status: number; readonly body: string };
  let refusalResponse: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
  /**
   * Response as the text of a stream, with ANSWER in place of the event with the result, and whether the stream closes
   * afterwards.
   */
  let events: { readonly text: string; readonly isClosed: boolean };
  /** Whether every response is a stream of events that stays open. */
  let keepsStreamsOpen: boolean;
  /** Open streams. */
  let streams: Set<ServerResponse>;
  /** Handles the reply to a request of the server. */
  let onReply: (reply: JsonObject) => void;
  /** Sends the response to the call on hold. */
  let release: () => void;

  before(async () => {
    [database, service, otherService] = await Promise.all([
      createMigratedTestDatabase(),
      startService(),
      startService(),
    ]);
  });

  beforeEach(() => {
    [session, tools, responseMode, executedCallCount, sessionsToEnd] = [
      randomUUID(),
      [buildListedTool()],
      'answer',
      0,
      0,
    ];
    sessionEndResponse = { status: 404, body: '' };
    refusalResponse = { status: 429, headers: {}, body: '' };
    release = () => undefined;
    events = { text: 'ANSWER', isClosed: false };
    keepsStreamsOpen = false;
    streams = new Set();
    onReply = () => undefined;
    for (const each of [service, otherService]) each.calls.splice(0);
    service.respond = respond;
  });

  afterEach(async () => {
    await host?.stop();
    host = undefined;
  });

  after(() => Promise.all([database.drop(), service.close(), otherService.close()]));

  const start = async (configuration: JsonObject = {}): Promise<McpHost> => {
    host = await startMcpHost(database, [
      {
        Name: 'remote',
        Url: `${service.url}/mcp`,
        Token: CANARY,
        AllowedTools: [{ Name: 'act' }],
        ConnectTimeout: isoDuration(5),
        Timeout: isoDuration(2),
        ...configuration,
      },
    ]);
    return host;
  };

  const respond = (call: ServiceCall, response: Parameters<Service['respond']>[1]): void => {
    if (call.method !== 'POST') return void response.writeHead(call.method === 'DELETE' ? 200 : 405).end();
    const { id, method, params } = JSON.parse(call.body) as {
      id?: number;
      method?: string;
      params?: { protocolVersion?: string; arguments?: JsonObject };
    };
    const sendStream = (text: string, isClosed: boolean): void => {
      streams.add(response.on('close', () => streams.delete(response)));
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Mcp-Session-Id': session });
      response.write(text);
      if (isClosed) response.end();
    };
    const sseEvent = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
    const sendJson = (result: object): void =>
      keepsStreamsOpen
        ? sendStream(sseEvent({ id, result }), false)
        : void response
            .writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': session })
            .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method !== 'initialize' && call.headers['mcp-session-id'] !== session)
      return void response.writeHead(sessionEndResponse.status).end(sessionEndResponse.body);
    if (method === undefined) onReply(JSON.parse(call.body) as JsonObject);
    if (id === undefined || method === undefined) return void response.writeHead(202).end();
    if (method === 'initialize')
      return sendJson({
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'remote', version: '1' },
      });
    if (method === 'tools/list') return sendJson({ tools });
    const result = {
      content: [{ type: 'text', text: responseMode === 'echo' ? JSON.stringify(call.headers) : 'done' }],
    };
    if (sessionsToEnd > 0) {
      sessionsToEnd -= 1;
      session = randomUUID();
      return void response
        .writeHead(sessionEndResponse.status)
        .end(sessionEndResponse.body.replace('"id":ID', `"id":${id}`));
    }
    if (responseMode === 'refuse')
      return void response
        .writeHead(refusalResponse.status, refusalResponse.headers)
        .end(refusalResponse.body.replace('"id":ID', `"id":${id}`));
    executedCallCount += 1;
    if (responseMode === 'hold') {
      release = () => sendJson(result);
      return;
    }
    if (responseMode === 'break') return void response.destroy();
    if (responseMode === 'fail') return void response.writeHead(500).end('oops');
    if (responseMode === 'events')
      return sendStream(events.text.replace('ANSWER', sseEvent({ id, result })), events.isClosed);
    if (responseMode === 'stream')
      return void response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    sendJson(result);
  };

  it('should send the token only to the configured host, and redact the token everywhere else', async () => {
    responseMode = 'echo';
    const { call, tool, logged } = await start();

    const { content, taint } = await call(TOOL);

    expect(service.calls.every(({ headers }) => headers.authorization === `Bearer ${CANARY}`)).to.equal(true);
    expect(content).to.include('[secret]').and.not.to.include(CANARY);
    expect(taint).to.eql(['mcp:remote']);
    expect(tool(TOOL).hosts({})).to.eql([service.url]);
    expect(logged.join('\n')).not.to.include(CANARY);
  });

  it('should send the token in a configured header', async () => {
    await (await start({ TokenHeader: 'X-API-Key' })).call(TOOL);

    expect(
      service.calls.every(({ headers }) => headers['x-api-key'] === CANARY && headers.authorization === undefined),
    ).to.equal(true);
  });

  it('should read a response sent as a stream', async () => {
    responseMode = 'stream';

    expect((await (await start()).call(TOOL)).content).to.equal('done');
  });

  const NOTIFICATION = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
  const PING = '{"jsonrpc":"2.0","id":"asked","method":"ping"}';
  const notificationEvent = `data: ${NOTIFICATION}\n\n`;
  for (const [caseName, text] of [
    ['at the start', 'ANSWER'],
    ['after keep-alive data', 'id: 1\ndata:\n\n: ping\n\nANSWER'],
    ['between notifications', `${notificationEvent.repeat(3)}ANSWER${notificationEvent}`],
    ['with CRLF line ends', `: hello\r\n\r\n${notificationEvent.replaceAll('\n', '\r\n')}ANSWER`],
  ] as const) {
    it(`should read the response immediately if a stream that stays open contains the response ${caseName}`, async () => {
      // given
      const { call } = await start({ Timeout: 'PT1M' });
      responseMode = 'events';
      events = { text, isClosed: false };

      // when
      const { content } = await call(TOOL);

      // then
      expect(content).to.equal('done');
      await waitUntil('the stream is closed', () => streams.size === 0);
    });
  }

  it('should connect and call when every stream stays open', async () => {
    keepsStreamsOpen = true;

    const { call, readiness } = await start();

    expect(await readiness()).to.include({ status: 'ok' });
    expect((await call(TOOL)).content).to.equal('done');
    await waitUntil('the streams are closed', () => streams.size === 0);
  });

  for (const [method, expectedReply] of [
    ['ping', { result: {} }],
    ['roots/list', { error: { code: -32601, message: 'Method not found' } }],
    ['sampling/createMessage', { error: { code: -32601, message: 'Method not found' } }],
    ['elicitation/create', { error: { code: -32601, message: 'Method not found' } }],
  ] as const) {
    it(`should respond to a ${method} request of the server during a call`, async () => {
      // given
      const { call } = await start({ Timeout: 'PT1M' });
      responseMode = 'events';
      events = { text: `data: {"jsonrpc":"2.0","id":"asked","method":"${method}"}\n\n`, isClosed: false };
      const calls = service.calls;
      let reply: JsonObject | undefined;
      onReply = (received) => {
        reply = received;
        const { id } = JSON.parse(calls.find(({ body }) => body.includes('tools/call'))?.body ?? '{}') as {
          id: number;
        };
        const callResponse = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'heard' }] } };
        for (const stream of streams) stream.write(`data: ${JSON.stringify(callResponse)}\n\n`);
      };

      // when
      const { content } = await call(TOOL);

      // then
      expect(content).to.equal('heard');
      expect(reply).to.eql({ jsonrpc: '2.0', id: 'asked', ...expectedReply });
    });
  }

  it('should report an unknown outcome immediately if the stream of a call ends without a response', async () => {
    const { callAndGetError } = await start({ Timeout: 'PT1M' });
    responseMode = 'events';
    for (const [text, isClosed] of [
      ['', true],
      [notificationEvent, true],
      [`data: ${'x'.repeat(5_000_000)}`, false],
    ] as const) {
      events = { text, isClosed };

      const failure = await callAndGetError(TOOL);

      expect(failure).not.to.be.instanceOf(RetryableFailure);
      expect(failure).not.to.be.instanceOf(ToolError);
      expect(failure.message).to.match(/ended without a response|more than 4194304 bytes/);
    }
    await waitUntil('the streams are closed', () => streams.size === 0);
  });

  const buildResponse = (id: number): object => ({
    jsonrpc: '2.0',
    id,
    result: { content: [{ type: 'text', text: 'odd' }] },
  });
  for (const [caseName, buildBody] of [
    ['has another type', (id: number) => `event: foo\ndata: ${JSON.stringify(buildResponse(id))}\n\n`],
    ['does not end with an empty line', (id: number) => `data: ${JSON.stringify(buildResponse(id))}\n`],
    [
      'is split over several lines',
      (id: number) => JSON.stringify(buildResponse(id), null, 2).replace(/^/gm, 'data: ') + '\n\n',
    ],
    ['starts with a byte-order mark', (id: number) => `\ufeffdata: ${JSON.stringify(buildResponse(id))}\n\n`],
    ['has a string as its id', (id: number) => `data: ${JSON.stringify({ ...buildResponse(id), id: String(id) })}\n\n`],
    ['has a byte-order mark in its data', (id: number) => `data: \ufeff${JSON.stringify(buildResponse(id))}\n\n`],
    ['has an error that is null', (id: number) => `data: ${JSON.stringify({ ...buildResponse(id), error: null })}\n\n`],
    [
      'contains a batch',
      (id: number) => `data: ${JSON.stringify([JSON.parse(PING), buildResponse(99), buildResponse(id)])}\n\n`,
    ],
  ] as const) {
    it(`should accept a response whose event ${caseName}`, async () => {
      const { call } = await start({ Timeout: 'PT1M' });
      const defaultHandler = service.respond;
      service.respond = (received, response) => {
        if (!received.body.includes('tools/call')) return defaultHandler(received, response);
        const { id } = JSON.parse(received.body) as { id: number };
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(buildBody(id));
      };

      expect((await call(TOOL)).content).to.equal('odd');
    });
  }

  for (const [caseName, buildBody] of [
    ['a byte-order mark', (id: number) => `\ufeff${JSON.stringify(buildResponse(id))}`],
    ['an error that is null', (id: number) => JSON.stringify({ ...buildResponse(id), error: null })],
    [
      'metadata that is null',
      (id: number) => JSON.stringify(buildResponse(id)).replace('"content"', '"_meta":null,"content"'),
    ],
  ] as const) {
    it(`should accept a JSON response with ${caseName}`, async () => {
      const { call } = await start({ Timeout: 'PT1M' });
      const defaultHandler = service.respond;
      service.respond = (received, response) => {
        if (!received.body.includes('tools/call')) return defaultHandler(received, response);
        const { id } = JSON.parse(received.body) as { id: number };
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(buildBody(id));
      };

      expect((await call(TOOL)).content).to.equal('odd');
    });
  }

  it('should connect if the metadata in every response is null', async () => {
    const defaultHandler = service.respond;
    service.respond = (received, response) => {
      const originalEnd = response.end.bind(response);
      response.end = ((text?: string) =>
        originalEnd(text?.replace('"result":{', '"result":{"_meta":null,'))) as typeof originalEnd;
      defaultHandler(received, response);
    };

    const { call } = await start();

    expect((await call(TOOL)).content).to.equal('done');
  });

  const wrongContentLength = (text: string): Record<string, number> => ({ 'Content-Length': text.length + 1 });
  for (const [caseName, headers, finish] of [
    ['stays open', () => ({}), () => undefined],
    ['stays open with more data', () => ({}), (response: ServerResponse) => void response.write('\n{"jsonrpc":')],
    ['is reset', () => ({}), (response: ServerResponse) => void response.destroy()],
    ['is shorter than its declared length', wrongContentLength, (response: ServerResponse) => void response.destroy()],
  ] as const) {
    it(`should accept a JSON response whose body ${caseName}`, async () => {
      const { call } = await start({ Timeout: 'PT1M' });
      const defaultHandler = service.respond;
      service.respond = (received, response) => {
        if (!received.body.includes('tools/call')) return defaultHandler(received, response);
        const { id } = JSON.parse(received.body) as { id: number };
        const text = JSON.stringify(buildResponse(id));
        response.writeHead(200, { 'Content-Type': 'application/json', ...headers(text) });
        response.write(text.slice(0, 20), () => response.write(text.slice(20), () => finish(response)));
      };

      expect((await call(TOOL)).content).to.equal('odd');
    });
  }

  for (const status of [201, 202, 206]) {
    it(`should accept a response in an open stream with status ${status}`, async () => {
      const { call } = await start({ Timeout: 'PT1M' });
      const defaultHandler = service.respond;
      service.respond = (received, response) => {
        if (!received.body.includes('tools/call')) return defaultHandler(received, response);
        const { id } = JSON.parse(received.body) as { id: number };
        response.writeHead(status, { 'Content-Type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(buildResponse(id))}\n\n`);
      };

      expect((await call(TOOL)).content).to.equal('odd');
    });
  }

  for (const [caseName, status, headers, text] of [
    ['a stream that stays open', 200, { 'Content-Type': 'text/event-stream' }, ': hello\n\n'],
    ['a body that stays open', 200, { 'Content-Type': 'application/json' }, '{"jsonrpc":'],
    ['an empty body that stays open', 202, {}, ''],
    ['an error', 200, { 'Content-Type': 'application/json' }, '{"jsonrpc":"2.0","id":null,"error":{"code":-1}}'],
  ] as const) {
    it(`should connect to a server that responds to a notification with ${caseName}`, async () => {
      const defaultHandler = service.respond;
      service.respond = (received, response) => {
        if (!received.body.includes('notifications/initialized')) return defaultHandler(received, response);
        response.writeHead(status, headers).flushHeaders();
        response.write(text);
      };

      const { call, readiness } = await start();

      expect(await readiness()).to.include({ status: 'ok' });
      expect((await call(TOOL)).content).to.equal('done');
    });
  }

  it('should respond to a batch in a stream, and read the response to the call from a batch', async () => {
    // given
    const { call } = await start({ Timeout: 'PT1M' });
    responseMode = 'events';
    events = { text: `data: [${NOTIFICATION},${PING}]\n\n`, isClosed: false };
    const calls = service.calls;
    onReply = () => {
      const { id } = JSON.parse(calls.find(({ body }) => body.includes('tools/call'))?.body ?? '{}') as { id: number };
      for (const stream of streams) stream.write(`data: ${JSON.stringify([buildResponse(id)])}\n\n`);
    };

    // then
    expect((await call(TOOL)).content).to.equal('odd');
  });

  it('should read the result that follows an error without an id', async () => {
    const { call } = await start();
    responseMode = 'events';
    const error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"Bad notification."}}';
    events = { text: `data: ${error}\n\nANSWER`, isClosed: false };

    expect((await call(TOOL)).content).to.equal('done');
  });

  for (const [caseName, error, expectedMessage] of [
    ['without an id', '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Bad."}}', '(-32602): Bad.'],
    [
      'with an id that is null',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"Bad."}}',
      '(-32602): Bad.',
    ],
    [
      'with a string as its code',
      '{"jsonrpc":"2.0","id":ID,"error":{"code":"E_BAD","message":"Bad."}}',
      '(0): E_BAD: Bad.',
    ],
    [
      'without a message',
      '{"jsonrpc":"2.0","id":ID,"result":null,"error":{"code":7}}',
      '(7): The error has no message.',
    ],
  ] as const) {
    for (const contentType of ['application/json', 'text/event-stream'] as const) {
      it(`should fail with mcp_call_refused on an error ${caseName}, as ${contentType}`, async () => {
        const { callAndGetError } = await start({ Timeout: 'PT1M' });
        const defaultHandler = service.respond;
        service.respond = (received, response) => {
          if (!received.body.includes('tools/call')) return defaultHandler(received, response);
          const { id } = JSON.parse(received.body) as { id: number };
          const text = error.replace('"id":ID', `"id":${id}`);
          response
            .writeHead(200, { 'Content-Type': contentType })
            .end(contentType === 'application/json' ? text : `data: ${text}\n\n`);
        };

        const failure = await callAndGetError(TOOL);

        expect(failure).to.be.instanceOf(ToolError).and.include({ code: 'mcp_call_refused' });
        expect(failure.message).to.equal(`The MCP server refused the call ${expectedMessage}`);
      });
    }
  }

  for (const [caseName, contentType, text] of [
    ['no JSON-RPC version', 'text/event-stream', 'data: {"id":ID,"result":{}}\n\n'],
    ['an unknown member', 'text/event-stream', 'data: {"jsonrpc":"2.0","id":ID,"result":{},"more":1}\n\n'],
    ['a result that is a string', 'text/event-stream', 'data: {"jsonrpc":"2.0","id":ID,"result":"done"}\n\n'],
    ['an event id without data', 'text/event-stream', 'id: 7\n\n'],
    ['an event with an empty id', 'text/event-stream', 'id:\ndata: x\n\n'],
    ['an empty list', 'application/json', '[]'],
    ['an error for another request', 'application/json', '{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}'],
    [
      'an error for another request in a stream',
      'text/event-stream',
      'data: {"jsonrpc":"2.0","id":"","error":{"code":1,"message":"x"}}\n\n',
    ],
    ['an empty body', 'application/json', ''],
  ] as const) {
    it(`should report an unknown outcome immediately if the server responds to a call with ${caseName}`, async () => {
      const { callAndGetError } = await start({ Timeout: 'PT1M' });
      const defaultHandler = service.respond;
      service.respond = (received, response) => {
        if (!received.body.includes('tools/call')) return defaultHandler(received, response);
        const { id } = JSON.parse(received.body) as { id: number };
        response
          .writeHead(text === '' ? 202 : 200, { 'Content-Type': contentType })
          .end(text.replace('"id":ID', `"id":${id}`));
      };

      const failure = await callAndGetError(TOOL);

      expect(failure).not.to.be.instanceOf(RetryableFailure);
      expect(failure).not.to.be.instanceOf(ToolError);
      expect(failure.message).to.match(/not conform to MCP|sent no response|without a response/);
    });
  }

  describe('with interrupted streams', () => {
    /**
     * Responds to a call with a stream that ends after an event with an id, and to each resumption by `onResume`.
     * Returns the number of resumptions (GET requests).
     */
    const breakStream = (
      onResume: (id: number, response: ServerResponse, gets: number) => void,
      firstEvent = 'retry: 0\nid: e1\ndata:\n\n',
    ): { gets: number } => {
      const defaultHandler = service.respond;
      const seen = { gets: 0 };
      let id = 0;
      service.respond = (received, response) => {
        if (received.method === 'GET') {
          seen.gets += 1;
          return onResume(id, response, seen.gets);
        }
        if (!received.body.includes('tools/call')) return defaultHandler(received, response);
        ({ id } = JSON.parse(received.body) as { id: number });
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(firstEvent);
      };
      return seen;
    };
    const sseEvent = (id: number, name: string): string =>
      `id: ${name}\ndata: ${JSON.stringify(buildResponse(id))}\n\n`;

    it('should read the response from a resumed stream after an event that is not a message', async () => {
      const { call } = await start({ Timeout: 'PT1M' });
      const seen = breakStream(
        (id, response) => response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(sseEvent(id, 'e2')),
        'retry: 0\nid: e1\ndata: no message\n\n',
      );

      expect((await call(TOOL)).content).to.equal('odd');
      expect(seen.gets).to.equal(1);
    });

    it('should read the response from a stream that is resumed twice', async () => {
      const { call } = await start({ Timeout: 'PT1M' });
      const seen = breakStream((id, response, gets) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.end(gets === 1 ? 'retry: 0\nid: e2\ndata:\n\n' : sseEvent(id, 'e3'));
      });

      expect((await call(TOOL)).content).to.equal('odd');
      expect(seen.gets).to.equal(2);
    });

    for (const [caseName, onResume] of [
      ['cannot be resumed', (response: ServerResponse) => void response.writeHead(405).end()],
      ['are no longer known', (response: ServerResponse) => void response.writeHead(404).end()],
      [
        'end without more data',
        (response: ServerResponse) => void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(),
      ],
      [
        'resume with a message that is too large',
        (response: ServerResponse) => {
          response.writeHead(200, { 'Content-Type': 'text/event-stream' });
          response.end(`id: e2\ndata:\n\ndata: ${'x'.repeat(5_000_000)}\n\n`);
        },
      ],
    ] as const) {
      it(`should report an unknown outcome without another request if the streams ${caseName}`, async () => {
        const { callAndGetError, call } = await start({ Timeout: 'PT1M' });
        const seen = breakStream((_, response) => onResume(response));

        const failure = await callAndGetError(TOOL);

        expect(failure).not.to.be.instanceOf(RetryableFailure);
        expect(failure).not.to.be.instanceOf(ToolError);
        service.respond = respond;
        expect((await call(TOOL)).content).to.equal('done');
        expect(seen.gets).to.equal(1);
      });
    }

    it('should report an unknown outcome immediately if the event id is too long to resume the stream', async () => {
      const { callAndGetError } = await start({ Timeout: 'PT1M' });
      const seen = breakStream(() => undefined, `id: ${'x'.repeat(1_001)}\ndata: ${NOTIFICATION}\n\n`);

      expect((await callAndGetError(TOOL)).message).to.include('ended without a response');
      expect(seen.gets).to.equal(0);
    });

    it('should stop resuming the stream after the call is cancelled', async () => {
      // given
      const { callAndGetError } = await start({ Timeout: 'PT1M' });
      const controller = new AbortController();
      const seen = breakStream((_, response, gets) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.end(`retry: 0\nid: e${gets + 1}\ndata:\n\n`);
      });
      const failure = callAndGetError(TOOL, {}, { signal: controller.signal });
      await waitUntil('the stream is resumed', () => seen.gets === 2);

      // when
      controller.abort(new Error('cancelled'));
      await failure;
      const { gets } = seen;
      await host?.stop();
      host = undefined;

      // then
      expect(seen.gets).to.be.at.most(gets + 1);
    });
  });

  it('should not cancel a call that already has a response', async () => {
    const controller = new AbortController();
    const { call } = await start();
    await call(TOOL, {}, { signal: controller.signal });

    controller.abort();
    await host?.stop();
    host = undefined;

    expect(service.calls.filter(({ body }) => body.includes('cancelled'))).to.eql([]);
  });

  it('should redact a token that is split across parts of a stream', async () => {
    const { call } = await start();
    responseMode = 'events';
    events = { text: `ANSWER`, isClosed: false };
    const defaultHandler = service.respond;
    service.respond = (received, response) => {
      const write = response.write.bind(response);
      response.write = ((text: string) => {
        const echoed = text.replace('done', CANARY);
        const cut = echoed.indexOf(CANARY) + 5;
        write(echoed.slice(0, cut));
        setImmediate(() => write(echoed.slice(cut)));
        return true;
      }) as typeof response.write;
      defaultHandler(received, response);
    };

    expect((await call(TOOL)).content).to.equal('[secret]');
  });

  /** Returns a handler that responds without sessions. */
  const withoutSessions =
    (handler: Service['respond']): Service['respond'] =>
    (received, response) => {
      const setHeaders = response.writeHead.bind(response);
      response.writeHead = ((code: number, headers: Record<string, string> = {}) => {
        const { 'Mcp-Session-Id': _, ...others } = headers;
        return setHeaders(code, others);
      }) as typeof response.writeHead;
      handler({ ...received, headers: { ...received.headers, 'mcp-session-id': session } }, response);
    };

  const buildErrorJson = (message: string, code = -32_000, id = 'ID') =>
    `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`;
  const SESSION_NOT_FOUND = buildErrorJson('Session not found', -32_600);
  const UUID = '550e8400-e29b-41d4-a716-446655440000';
  for (const [caseName, status, body] of [
    ['with an empty body', 404, ''],
    ['with an error without an id', 404, buildErrorJson('Session not found', -32_600, 'null')],
    ['with an error for the request', 404, SESSION_NOT_FOUND],
    [
      'with an error for the request that contains the session id',
      404,
      buildErrorJson(`Session ${UUID} not found`, -32_001),
    ],
    ['as a bad request', 400, SESSION_NOT_FOUND],
    [
      'with the error of a restarted server',
      400,
      buildErrorJson('Bad Request: Server not initialized', -32_000, 'null'),
    ],
    ['with the session id', 400, buildErrorJson(`Session with ID ${UUID} does not exist`, -32_000, 'null')],
    ['with the error of a missing transport', 400, '{"error":"No transport found for sessionId"}'],
    ['in plain text', 400, 'No such session'],
    ['in other plain text', 400, 'Session has ended'],
    ['with a JSON message', 400, '{"message":"Could not find session."}'],
    ['as the response to the call', 200, buildErrorJson('Session not found', -32_002)],
    ['as the response to the call, with the session id', 200, buildErrorJson(`Session ${UUID} has expired`)],
    ['as a failed authentication', 401, 'Unauthorized: Session not found'],
  ] as const) {
    it(`should repeat the call in a new session when the server reports ${caseName} that the session has ended (${status})`, async () => {
      // A server may report this after the tool has run, so only a read can be repeated.
      const Effect = status === 200 ? 'read' : 'write';
      const { call, logged, readiness } = await start({ AllowedTools: [{ Name: 'act', Effect }] });
      sessionEndResponse = { status, body };

      for (let callNumber = 1; callNumber <= 3; callNumber += 1) {
        sessionsToEnd = 1;
        expect((await call(TOOL)).content).to.equal('done');
        expect(executedCallCount).to.equal(callNumber);
        expect(await readiness()).to.include({ status: 'ok' });
      }

      expect(logged.join('\n')).not.to.include('is not responding');
    });
  }

  for (const Effect of ['read', 'write'])
    it(`should complete a ${Effect} call after several sessions have ended`, async () => {
      const { call } = await start({ AllowedTools: [{ Name: 'act', Effect }] });
      [sessionsToEnd, sessionEndResponse] = [4, { status: 404, body: SESSION_NOT_FOUND }];

      expect((await call(TOOL)).content).to.equal('done');
      expect(executedCallCount).to.equal(1);
    });

  it('should send a write at most twice if the server responds with 404 but does not mention the session', async () => {
    const { callAndGetError } = await start();
    [sessionsToEnd, sessionEndResponse] = [4, { status: 404, body: '' }];

    const failure = await callAndGetError(TOOL);

    expect(failure).not.to.be.instanceOf(RetryableFailure);
    expect(failure).not.to.be.instanceOf(ToolError);
    expect(service.calls.filter(({ body }) => body.includes('tools/call'))).to.have.length(2);
  });

  it('should send a write once if its result reports an ended session, and send the next call in a new session', async () => {
    const { callAndGetError, call } = await start();
    [sessionsToEnd, sessionEndResponse] = [1, { status: 200, body: buildErrorJson('Session not found') }];

    expect(await callAndGetError(TOOL)).to.include({ code: 'mcp_call_refused' });
    expect(service.calls.filter(({ body }) => body.includes('tools/call'))).to.have.length(1);
    expect((await call(TOOL)).content).to.equal('done');
  });

  for (const [caseName, status, body] of [
    [
      'requires a session for the first time',
      400,
      buildErrorJson('Bad Request: No valid session ID provided', -32_000, 'null'),
    ],
    [
      'no longer supports the revision',
      400,
      buildErrorJson('Bad Request: Unsupported protocol version', -32_000, 'null'),
    ],
    [
      'no longer supports the revision, as reported by an error for the call',
      400,
      buildErrorJson('Unsupported protocol version', -32_022),
    ],
    [
      'no longer supports the revision, as reported in the response to the call',
      200,
      buildErrorJson('Unsupported protocol version', -32_022),
    ],
  ] as const) {
    it(`should repeat the call on a new connection when the server ${caseName} (${status})`, async () => {
      // given
      const defaultHandler = service.respond;
      service.respond = withoutSessions(defaultHandler);
      const { call, logged } = await start();
      let isServerReplaced = false;
      service.respond = (received, response) => {
        if (isServerReplaced && received.body.includes('tools/call')) {
          isServerReplaced = false;
          service.respond = defaultHandler;
          return void response
            .writeHead(status, { 'Content-Type': 'application/json' })
            .end(body.replace('"id":ID', `"id":${(JSON.parse(received.body) as { id: number }).id}`));
        }
        withoutSessions(defaultHandler)(received, response);
      };
      expect((await call(TOOL)).content).to.equal('done');
      service.calls.splice(0);
      executedCallCount = 0;

      // when
      isServerReplaced = true;
      const result = await call(TOOL);

      // then
      expect(result.content).to.equal('done');
      expect(executedCallCount).to.equal(1);
      expect(logged.join('\n')).not.to.include('is not responding');
      const discoverCalls = service.calls.filter(({ body: sent }) => sent.includes('server/discover'));
      expect(discoverCalls, 'the revision of the server is discovered again').to.have.length(1);
    });
  }

  for (const [caseName, status, body] of [
    ['a session that is not an MCP session', 400, '{"error":"Training session 12 is fully booked"}'],
    [
      'a session that is not an MCP session, in an error',
      400,
      '{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"No such checkout.session: cs_1"}}',
    ],
    [
      'a record that is not found, in an error',
      404,
      '{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"Customer 17 not found"}}',
    ],
    [
      'any reason, with the most common error code',
      422,
      '{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"It is locked."}}',
    ],
    ...[
      'Session closed',
      'Session expired after payment was sent',
      'Session "checkout-1" has expired',
      'Invalid session token',
    ].map(
      (message) =>
        [`${message}, in the response`, 200, buildErrorJson(message.replaceAll('"', '\\"'), -32_603)] as const,
    ),
    ...[
      'The checkout session 12 for customer Foo is already closed',
      'Payment was made, then the checkout session of the customer was closed',
      'Invalid session parameter',
      'Required argument session of tool is missing',
      'This TLS server has an unsupported protocol version',
    ].map((message) => [message, 400, buildErrorJson(message)] as const),
    [
      'a session of the tool, in the response',
      200,
      '{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"The browser session bs_1 is not found."}}',
    ],
    [
      'an unknown session of the tool, in the response',
      200,
      '{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"Session not found"}}',
    ],
    [
      'any reason, with the error code of a timeout',
      200,
      '{"jsonrpc":"2.0","id":ID,"error":{"code":-32001,"message":"Unknown project"}}',
    ],
  ] as const) {
    it(`should send a call only once when the server refuses it for ${caseName} (${status})`, async () => {
      const { callAndGetError } = await start();
      responseMode = 'refuse';
      refusalResponse = { status, headers: { 'Content-Type': 'application/json' }, body };

      const failure = await callAndGetError(TOOL);

      expect(failure).to.be.instanceOf(ToolError).and.include({ code: 'mcp_call_refused' });
      expect(service.calls.filter(({ body: sent }) => sent.includes('tools/call'))).to.have.length(1);
    });
  }

  for (const [status, body] of [
    [404, '{"error":"customer not found"}'],
    [410, ''],
    [301, ''],
    [302, ''],
  ] as const) {
    it(`should report an unknown outcome for a write if a server without sessions responds with ${status}`, async () => {
      service.respond = withoutSessions(service.respond);
      const { callAndGetError } = await start();
      responseMode = 'refuse';
      refusalResponse = { status, headers: {}, body };

      const failure = await callAndGetError(TOOL);

      expect(failure).not.to.be.instanceOf(RetryableFailure);
      expect(failure).not.to.be.instanceOf(ToolError);
    });
  }

  it('should fail a call as retryable if every new session ends', async () => {
    const { callAndGetError } = await start();
    [sessionsToEnd, sessionEndResponse] = [Number.POSITIVE_INFINITY, { status: 404, body: SESSION_NOT_FOUND }];

    expect(await callAndGetError(TOOL))
      .to.be.instanceOf(RetryableFailure)
      .and.include({ code: 'mcp_server_unavailable' });
    expect(executedCallCount).to.equal(0);
  });

  it('should report an unknown outcome for a write if every session responds with 404 and another reason', async () => {
    const { callAndGetError } = await start();
    [sessionsToEnd, sessionEndResponse] = [Number.POSITIVE_INFINITY, { status: 404, body: 'no such customer' }];

    const failure = await callAndGetError(TOOL);

    expect(failure).not.to.be.instanceOf(RetryableFailure);
    expect(failure).not.to.be.instanceOf(ToolError);
    const sent = service.calls.filter(({ body }) => body.includes('tools/call'));
    expect(sent).to.have.length(2);
  });

  it('should connect even if a session ends during its initialization', async () => {
    const defaultHandler = service.respond;
    let toolListCount = 0;
    service.respond = (received, response) => {
      toolListCount += Number(received.body.includes('tools/list'));
      if (received.body.includes('tools/list') && toolListCount <= 2) return void response.writeHead(404).end();
      defaultHandler(received, response);
    };

    const { call, logged } = await start();

    expect((await call(TOOL)).content).to.equal('done');
    expect(logged.join('\n')).not.to.include('is not responding');
  });

  it('should complete a pending call when another call finds that its session has ended', async () => {
    // given
    const { call } = await start();
    responseMode = 'hold';
    const pendingCall = call(TOOL);
    await waitUntil('the server has received the call', () => executedCallCount === 1);
    responseMode = 'answer';
    sessionsToEnd = 1;

    // when
    const otherResult = await call(TOOL);
    release();

    // then
    expect(otherResult.content).to.equal('done');
    expect((await pendingCall).content).to.equal('done');
    expect(executedCallCount).to.equal(2);
  });

  it('should report why a call was not accepted and when it can be retried', async () => {
    const { callAndGetError, call, readiness } = await start();
    responseMode = 'refuse';
    refusalResponse = { status: 429, headers: { 'Retry-After': '7' }, body: '{"message":"Slow down."}' };

    const failure = await callAndGetError(TOOL);

    expect(failure).to.be.instanceOf(RetryableFailure).and.include({ retryAfterMs: 7_000 });
    expect(failure.message).to.equal(
      'The MCP server "remote" did not accept the call. It responded with status 429. Its message: “Slow down.”',
    );
    expect(await readiness(), 'one failed call does not affect readiness').to.include({ status: 'ok' });
    responseMode = 'answer';
    expect((await call(TOOL)).content).to.equal('done');
  });

  it('should treat other client error statuses as a refused call', async () => {
    const { callAndGetError } = await start();
    responseMode = 'refuse';
    for (const status of [400, 409, 413, 422]) {
      refusalResponse = { status, headers: {}, body: 'no such thing' };

      const failure = await callAndGetError(TOOL);

      expect(failure, String(status)).to.be.instanceOf(ToolError).and.include({ code: 'mcp_call_refused' });
      expect(failure.message).to.include(`status ${status}. Its message: “no such thing”`);
    }
    expect(service.calls.filter(({ body }) => body.includes('initialize"')).length).to.equal(1);
  });

  it('should report an unknown outcome if the status does not show whether the call was executed', async () => {
    const { callAndGetError } = await start();
    responseMode = 'refuse';
    for (const status of [303, 408, 499, 503]) {
      refusalResponse = { status, headers: {}, body: '' };

      const failure = await callAndGetError(TOOL);

      expect(failure, String(status)).not.to.be.instanceOf(ToolError);
      expect(failure, String(status)).not.to.be.instanceOf(RetryableFailure);
    }
  });

  it('should wait for the Retry-After time after a failed read and after a failed connection', async () => {
    // given
    const { callAndGetError } = await start({ AllowedTools: [{ Name: 'act', Effect: 'read' }] });
    responseMode = 'refuse';
    refusalResponse = { status: 503, headers: { 'Retry-After': '30' }, body: '' };

    // when
    const callFailure = await callAndGetError(TOOL);
    await host?.stop();
    service.respond = (_, response) => void response.writeHead(429, { 'Retry-After': '120' }).end();
    const { call } = await start();
    service.calls.splice(0);
    service.respond = respond;

    // then
    expect(callFailure).to.be.instanceOf(RetryableFailure).and.include({ retryAfterMs: 30_000 });
    const connectionFailure: unknown = await call(TOOL).catch((error: unknown) => error);
    expect(connectionFailure)
      .to.be.instanceOf(RetryableFailure)
      .and.have.property('retryAfterMs')
      .that.is.within(100_000, 120_000);
    expect(service.calls).to.deep.equal([]);
  });

  it('should ask the operator to check the token when the session is no longer authorized', async () => {
    const { callAndGetError, readiness } = await start();
    service.respond = (_, response) => void response.writeHead(401).end();

    expect(await callAndGetError(TOOL)).to.be.instanceOf(RetryableFailure);
    expect((await readiness()).detail).to.include('status 401. Check its Token');
  });

  it('should connect again after a malformed error response', async () => {
    const defaultHandler = service.respond;
    const hostile = '[{"toString":null,"valueOf":null}]';
    service.respond = ({ body }, response) => {
      const { id = 0 } = body === '' ? {} : (JSON.parse(body) as { id?: number });
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${id},"error":{"code":-1,"message":"x","data":{"supported":${hostile}}}}`);
    };

    const { readiness, call } = await start();

    expect((await readiness()).detail).to.include('It refuses the connection (-1). Its message: “x”');
    service.respond = defaultHandler;
    await waitUntil('the server is ready', async () => (await readiness()).status === 'ok');
    expect((await call(TOOL)).content).to.equal('done');
  });

  it('should refuse a huge response during initialization', async () => {
    service.respond = ({ body }, response) => {
      const { id = 0 } = body === '' ? {} : (JSON.parse(body) as { id?: number });
      const icons = Array.from({ length: 200_000 }, () => 1);
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 'x', version: '1', icons },
      };
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };

    expect((await (await start()).readiness()).detail).to.include(
      'The server sent a message of more than 262144 bytes',
    );
  });

  it('should fail with mcp_call_refused on a JSON-RPC error with an error status', async () => {
    const { callAndGetError } = await start();
    responseMode = 'refuse';
    const body = '{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"Invalid arguments."}}';
    refusalResponse = { status: 400, headers: { 'Content-Type': 'application/json' }, body };

    const failure = await callAndGetError(TOOL);

    expect(failure).to.be.instanceOf(ToolError).and.include({ code: 'mcp_call_refused' });
    expect(failure.message).to.include('Invalid arguments.');
  });

  for (const [caseName, status, reason] of [
    ['refuses the token', 401, 'It responded with status 401. Check its Token. Its message: “Who are you?”'],
    ['is not found', 404, 'It responded with status 404. Check its Url. Its message: “Who are you?”'],
  ] as const) {
    it(`should report in the pin and in the readiness check that the server ${caseName}`, async () => {
      service.respond = (_, response) => void response.writeHead(status).end('{"error":"Who are you?"}');

      const { readiness, pin } = await start({ Name: 'unseen' });

      const { stopped, unavailable } = await pin('mcp.unseen.act');
      expect(stopped?.message).to.equal(`The MCP server has not listed the tool yet. ${reason}`);
      expect(unavailable).to.equal(reason);
      expect((await readiness()).detail).to.include(`"unseen" is not responding (${reason})`);
    });
  }

  it('should report the revisions of a server that supports no known revision', async () => {
    const error = { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2027-01-01'] } };
    service.respond = ({ body }, response) =>
      void response
        .writeHead(400, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id, error }));

    const { pin } = await start();

    expect((await pin(TOOL)).unavailable).to.match(
      /^It supports none of the MCP revisions 2026-07-28, 2025-11-25, .*, only “2027-01-01”\.$/,
    );
  });

  for (const [caseName, status, type, buildBody] of [
    ['in a batch with invalid messages', 200, 'application/json', (json: string) => `[${json},{"x":1},7]`],
    ['as plain text', 200, 'text/plain', (json: string) => json],
    ['with 202', 202, 'application/json', (json: string) => json],
  ] as const) {
    it(`should accept the response to a call ${caseName}`, async () => {
      const { call } = await start({ Timeout: 'PT1M' });
      const defaultHandler = service.respond;
      service.respond = (received, response) => {
        const { id, method } = JSON.parse(received.body || '{}') as { id?: number; method?: string };
        if (method !== 'tools/call') return defaultHandler(received, response);
        const json = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'heard' }] } });
        response.writeHead(status, { 'Content-Type': type }).end(buildBody(json));
      };

      expect((await call(TOOL)).content).to.equal('heard');
    });
  }

  it('should report an unknown outcome if the connection of a call breaks or the server fails', async () => {
    const { callAndGetError } = await start();

    for (const mode of ['break', 'fail'] as const) {
      responseMode = mode;
      const failure = await callAndGetError(TOOL);
      expect(failure, mode).not.to.be.instanceOf(RetryableFailure);
      expect(failure, mode).not.to.be.instanceOf(ToolError);
    }
    expect(executedCallCount).to.equal(2);
  });

  it('should not follow a redirect to another host', async () => {
    service.respond = (_, response) => void response.writeHead(307, { Location: `${otherService.url}/mcp` }).end();

    const { readiness } = await start();

    expect(await readiness()).to.include({ status: 'warn' });
    expect(otherService.calls).to.eql([]);
  });

  it('should end the session when the host stops', async () => {
    await start();

    await host?.stop();
    host = undefined;

    expect(service.calls.at(-1)).to.include({ method: 'DELETE' });
  });
});
