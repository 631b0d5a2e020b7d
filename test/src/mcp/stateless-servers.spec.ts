import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type JsonObject, RetryableFailure, ToolError } from '@countersign/core/plugin';
import type { TestDatabase } from '@countersign/embedded-postgres';
import { createMcpHandler, type CreateMcpHandlerOptions, type McpHttpHandler } from '@modelcontextprotocol/server';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { seconds, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { type Service, type ServiceCall, startService } from '../connectors/connectors.spec.support.js';
import { buildListedTool, startMcpHost, type McpHost } from './mcp.spec.support.js';
import { createStatelessServer } from './stateless-server.js';

const TOOL = 'mcp.remote.act';
const REVISION = '2026-07-28';
const ALLOWED_TOOLS = ['act', 'confirm', 'later', 'never'].map((Name) => ({ Name }));

/** Returns a duration in ISO 8601, scaled to the speed of this machine. */
const isoDuration = (count: number): string => `PT${Math.ceil(seconds(count) / 1_000)}S`;

interface SentMessage {
  readonly id?: string | number;
  readonly method: string;
  readonly params: { readonly name: string; readonly protocolVersion?: string; readonly _meta?: JsonObject };
}

const parseMessage = ({ body }: ServiceCall): SentMessage => JSON.parse(body) as SentMessage;

describe('MCP servers of revision 2026-07-28', () => {
  let database: TestDatabase;
  let service: Service;
  let host: McpHost | undefined;

  beforeEach(async () => {
    [database, service] = await Promise.all([createMigratedTestDatabase(), startService()]);
  });

  afterEach(async () => {
    await host?.stop();
    host = undefined;
    await Promise.all([database.drop(), service.close()]);
  });

  const startHost = async (extraConfiguration: JsonObject = {}): Promise<McpHost> => {
    host = await startMcpHost(database, [
      {
        Name: 'remote',
        ...(extraConfiguration['Command'] === undefined ? { Url: `${service.url}/mcp` } : {}),
        AllowedTools: ALLOWED_TOOLS,
        ConnectTimeout: isoDuration(5),
        Timeout: isoDuration(5),
        ...extraConfiguration,
      },
    ]);
    return host;
  };
  const listMethods = (): readonly string[] =>
    service.calls.filter(({ method }) => method === 'POST').map((call) => parseMessage(call).method);

  /** Defines the tests that apply to each server of the SDK. */
  const describeOfficialServer = (configuration: () => JsonObject): void => {
    it('should complete a call and be ready', async () => {
      const { call, readiness } = await startHost(configuration());

      expect(await call(TOOL, { region: 'west' })).to.eql({ content: 'done west', taint: ['mcp:remote'] });
      expect(await readiness()).to.include({ status: 'ok' });
    });

    it('should return an error to the language model if the server needs a capability that the client lacks', async () => {
      const failure = await (await startHost(configuration())).callAndGetError('mcp.remote.confirm');

      expect(failure).to.be.instanceOf(ToolError).and.include({ code: 'mcp_call_refused' });
      expect(failure.message).to.match(/^The MCP server refused the call \(-32021\): .*elicitation/);
    });

    it('should repeat the call when the server requests a retry without input', async () => {
      expect((await (await startHost(configuration())).call('mcp.remote.later')).content).to.equal('begun, done');
    });

    it('should stop repeating the call after ten requests for a retry', async () => {
      const failure = await (
        await startHost({ ...configuration(), Timeout: isoDuration(30) })
      ).callAndGetError('mcp.remote.never');

      expect(failure).not.to.be.instanceOf(ToolError);
      expect(failure).not.to.be.instanceOf(RetryableFailure);
      expect(failure.message).to.match(
        /"remote" did not finish the call\. The server had started the call\. The server requested more than 10 repeats of the call/,
      );
    });
  };

  describe('over streamable HTTP', () => {
    let handler: McpHttpHandler;

    const serveStateless = (options: CreateMcpHandlerOptions): void => {
      handler = createMcpHandler(createStatelessServer, options);
      service.respond = (call, response) => void forward(handler, service.url, call, response);
    };

    afterEach(() => handler.close());

    for (const [caseName, options] of [
      ['only this revision, with JSON responses', { legacy: 'reject', responseMode: 'json' }],
      ['only this revision, with streams', { legacy: 'reject', responseMode: 'sse' }],
      ['this and earlier revisions', { legacy: 'stateless' }],
    ] as const) {
      describe(`with servers that support ${caseName}`, () => {
        beforeEach(() => serveStateless(options));

        describeOfficialServer(() => ({}));

        it('should send the revision, the method and the tool name, but no session', async () => {
          await (await startHost()).call(TOOL);

          expect(listMethods()).to.eql(['server/discover', 'tools/list', 'tools/call']);
          for (const call of service.calls) {
            expect(call.headers).to.include({
              'mcp-protocol-version': REVISION,
              'mcp-method': parseMessage(call).method,
            });
            expect(call.headers).not.to.have.any.keys('mcp-session-id');
            expect(parseMessage(call).params._meta).to.include({ 'io.modelcontextprotocol/protocolVersion': REVISION });
          }
          expect(service.calls.at(-1)?.headers).to.include({ 'mcp-name': 'act' });
        });
      });
    }

    for (const [value, header] of [
      ['west', 'west'],
      ['Süd\r\nX-Evil: 1', `=?base64?${Buffer.from('Süd\r\nX-Evil: 1').toString('base64')}?=`],
    ] as const) {
      it(`should send an argument in the header that the tool declares: ${JSON.stringify(value)}`, async () => {
        serveStateless({ legacy: 'reject' });

        const { content } = await (await startHost()).call(TOOL, { region: value });

        expect(content).to.equal(`done ${value}`);
        expect(service.calls.at(-1)?.headers)
          .to.include({ 'mcp-param-region': header })
          .and.not.have.any.keys('x-evil');
      });
    }
  });

  describe('as a program', () => {
    const configuration = (legacy: 'reject' | 'serve'): JsonObject => ({
      Command: process.execPath,
      Args: [fileURLToPath(new URL('stateless-server.js', import.meta.url)), legacy],
    });

    describe('with support for this revision only', () => describeOfficialServer(() => configuration('reject')));

    it('should complete a call if the program also supports another revision', async () => {
      expect((await (await startHost(configuration('serve'))).call(TOOL, { region: 'a' })).content).to.equal('done a');
    });
  });

  describe('with servers that violate the revision', () => {
    let tools: readonly unknown[];
    let result: JsonObject;
    /** Responds to calls instead of the default, if set. */
    let respondToCall: ((response: ServerResponse) => void) | undefined;

    beforeEach(() => {
      [tools, result, respondToCall] = [[buildListedTool()], { content: [{ type: 'text', text: 'done' }] }, undefined];
      service.respond = (call, response) => {
        const { id, method } = parseMessage(call);
        const sendJson = (status: number, body: object): void =>
          void response
            .writeHead(status, { 'Content-Type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
        if (call.headers['mcp-protocol-version'] !== REVISION)
          return sendJson(400, {
            error: { code: -32022, message: 'Unsupported protocol version', data: { supported: [REVISION] } },
          });
        if (method === 'server/discover') return sendJson(200, { result: { supportedVersions: [REVISION] } });
        if (method === 'tools/list') return sendJson(200, { result: { tools } });
        if (respondToCall !== undefined) return respondToCall(response);
        sendJson(200, { result });
      };
    });

    it('should complete a call if mandatory members are missing', async () => {
      expect((await (await startHost()).call(TOOL)).content).to.equal('done');
    });

    it('should keep a valid tool if other tools are malformed', async () => {
      tools = [7, { name: 'broken' }, { ...buildListedTool({ name: 'odd' }), icons: 'none' }, buildListedTool()];

      expect((await (await startHost()).call(TOOL)).content).to.equal('done');
    });

    for (const [caseName, toolResult] of [
      ['with a task', { resultType: 'task', task: { taskId: 'a' } }],
      ['with an invalid type', { resultType: 7, content: [] }],
    ] as const) {
      it(`should report an unknown outcome for a write, and refuse a read, if the server responds ${caseName}`, async () => {
        result = toolResult as JsonObject;
        const { callAndGetError } = await startHost({ AllowedTools: [{ Name: 'act' }] });

        const failure = await callAndGetError(TOOL);

        expect(failure).not.to.be.instanceOf(ToolError);
        expect(failure).not.to.be.instanceOf(RetryableFailure);
        expect(failure.message).to.match(/a result of an unsupported type: “(task|number)”/);
        await host?.stop();
        expect(await (await startHost({ AllowedTools: [{ Name: 'act', Effect: 'read' }] })).callAndGetError(TOOL))
          .to.be.instanceOf(ToolError)
          .and.include({ code: 'mcp_call_refused' });
      });
    }

    it('should report the requested input without secrets and in bounded length', async () => {
      const message = `Is ${'canary-77'} right?`;
      const inputRequests = Object.fromEntries(
        Array.from({ length: 20_000 }, (_, index) => [
          `r${index}`,
          { method: 'elicitation/create', params: { message } },
        ]),
      );
      result = { resultType: 'input_required', inputRequests } as unknown as JsonObject;

      const failure = await (await startHost({ Token: 'canary-77' })).callAndGetError(TOOL);

      expect(failure.message).to.include('“Is [secret] right?”').and.have.length.below(1_200);
    });

    it('should close the connection of a cancelled call without sending a message', async () => {
      // given
      let isClosed = false;
      const controller = new AbortController();
      const heldResponse = new Promise<void>((resolve) => {
        respondToCall = (response) => {
          response.on('close', () => (isClosed = true));
          response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': wait\n\n');
          resolve();
        };
      });
      const { callAndGetError, call } = await startHost();

      // when
      const failure = callAndGetError(TOOL, {}, { signal: controller.signal });
      await heldResponse;
      controller.abort(new Error('cancelled'));

      // then
      expect(await failure).to.include({ message: 'cancelled' });
      await waitUntil('the connection is closed', () => isClosed);
      respondToCall = undefined;
      expect((await call(TOOL)).content).to.equal('done');
      expect(listMethods()).to.eql(['server/discover', 'tools/list', 'tools/call', 'tools/call']);
    });
  });

  describe('compatibility with earlier revisions', () => {
    const CALL_RESULT = { content: [{ type: 'text', text: 'done' }] };
    /** Responds to `server/discover`. */
    let discover: (response: ServerResponse, id: unknown) => void;
    let hasSessionEnded: boolean;

    beforeEach(() => {
      hasSessionEnded = false;
      service.respond = (call, response) => {
        if (call.method !== 'POST') return void response.writeHead(405).end();
        const { id, method, params } = parseMessage(call);
        if (method === 'server/discover') return discover(response, id);
        if (id === undefined) return void response.writeHead(202).end();
        if (hasSessionEnded && method === 'tools/call') {
          hasSessionEnded = false;
          return void response.writeHead(404).end();
        }
        const results: Record<string, object> = {
          'initialize': {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'a', version: '1' },
          },
          'tools/list': { tools: [buildListedTool()] },
          'tools/call': CALL_RESULT,
        };
        response
          .writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'a' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
      };
    });

    const respondWithError = (status: number, code: number) => (response: ServerResponse, id: unknown) =>
      void response
        .writeHead(status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'Not supported' } }));
    for (const [caseName, respondToDiscover] of [
      ['an error', respondWithError(200, -32601)],
      ['an error with status 400', respondWithError(400, -32000)],
      ['an error without an id', (response: ServerResponse) => respondWithError(400, -32000)(response, null)],
      ['an internal error', respondWithError(500, -32603)],
      ['status 400', (response: ServerResponse) => void response.writeHead(400).end('No valid session ID provided')],
      ['status 403', (response: ServerResponse) => void response.writeHead(403).end('Method not allowed')],
      ['status 404', (response: ServerResponse) => void response.writeHead(404).end('<h1>Not found</h1>')],
      ['status 500', (response: ServerResponse) => void response.writeHead(500).end('oops')],
      ['an HTML page', (response: ServerResponse) => void response.writeHead(200).end('<h1>Hello</h1>')],
      ['an empty body', (response: ServerResponse) => void response.writeHead(202).end()],
      [
        'a stream without a response',
        (response: ServerResponse) => void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(),
      ],
      ['the end of the connection', (response: ServerResponse) => void response.destroy()],
    ] as const) {
      it(`should fall back to initialize if the server responds to server/discover with ${caseName}`, async () => {
        discover = respondToDiscover;

        expect((await (await startHost({ AllowedTools: [{ Name: 'act' }] })).call(TOOL)).content).to.equal('done');
        expect(listMethods()).to.eql([
          'server/discover',
          'initialize',
          'notifications/initialized',
          'tools/list',
          'tools/call',
        ]);
      });
    }

    it('should fall back to initialize if the server does not respond to server/discover', async () => {
      discover = () => undefined;

      const { call } = await startHost({ AllowedTools: [{ Name: 'act' }], ConnectTimeout: isoDuration(1) });

      expect((await call(TOOL)).content).to.equal('done');
    });

    it('should not repeat server/discover when a session ends', async () => {
      discover = respondWithError(200, -32601);
      const { call } = await startHost({ AllowedTools: [{ Name: 'act' }] });
      hasSessionEnded = true;

      expect((await call(TOOL)).content).to.equal('done');
      expect(listMethods().filter((method) => method === 'server/discover')).to.have.length(1);
      expect(listMethods().filter((method) => method === 'initialize')).to.have.length(2);
    });

    for (const [status, reason] of [
      [401, /Check its Token\./],
      [503, /status 503/],
    ] as const) {
      it(`should send server/discover only once, and report the reason, if the server responds with ${status}`, async () => {
        discover = (response) => void response.writeHead(status).end();

        const { pin } = await startHost({ AllowedTools: [{ Name: 'act' }] });

        expect((await pin(TOOL)).unavailable).to.match(reason);
        expect(listMethods()).to.eql(['server/discover']);
      });
    }
  });
});

/** Lets a handler of the SDK respond to a call. */
async function forward(
  handler: McpHttpHandler,
  url: string,
  call: ServiceCall,
  response: ServerResponse,
): Promise<void> {
  const controller = new AbortController();
  response.on('close', () => controller.abort());
  const request = new Request(`${url}${call.path}`, {
    method: call.method,
    headers: new Headers(
      Object.entries(call.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ),
    signal: controller.signal,
    ...(call.method === 'POST' ? { body: call.body } : {}),
  });
  const handlerResponse = await handler.fetch(request);
  response.writeHead(handlerResponse.status, Object.fromEntries(handlerResponse.headers));
  for await (const part of handlerResponse.body ?? []) response.write(part);
  response.end();
}
