import { randomUUID } from 'node:crypto';
import { type JsonObject, RetryableFailure, ToolError } from '@countersign/core/plugin';
import type { TestDatabase } from '@countersign/embedded-postgres';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { seconds, until } from '@countersign/testing';
import { expect } from 'chai';
import { startService, type Service, type ServiceCall } from '../connectors/connectors.spec.support.js';
import { listed, startMcpHost, type McpHost } from './mcp.spec.support.js';

const CANARY = 'canary-b0c4e1';
const TOOL = 'mcp.remote.act';

/** As ISO 8601, on this machine. */
const duration = (count: number): string => `PT${Math.ceil(seconds(count) / 1_000)}S`;

/** What the server does with the next calls of the tool, instead of answering. */
type Way = 'answer' | 'break' | 'fail' | 'stream' | 'echo' | 'refuse' | 'hold';

describe('MCP servers over streamable HTTP', () => {
  let database: TestDatabase;
  let service: Service;
  let elsewhere: Service;
  let host: McpHost | undefined;
  let session: string;
  let tools: JsonObject[];
  let way: Way;
  let made: number;
  /** Sessions whose next call finds that they are over, which is said with this status. */
  let toEnd: number;
  let end: { readonly status: number; readonly body: string };
  let refusing: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
  /** Answers what is held. */
  let release: () => void;

  before(async () => {
    [database, service, elsewhere] = await Promise.all([createMigratedTestDatabase(), startService(), startService()]);
  });

  beforeEach(() => {
    [session, tools, way, made, toEnd] = [randomUUID(), [listed()], 'answer', 0, 0];
    end = { status: 404, body: '' };
    refusing = { status: 429, headers: {}, body: '' };
    release = () => undefined;
    for (const each of [service, elsewhere]) each.calls.splice(0);
    service.answer = answer;
  });

  afterEach(async () => {
    await host?.stop();
    host = undefined;
  });

  after(() => Promise.all([database.drop(), service.close(), elsewhere.close()]));

  const start = async (more: JsonObject = {}): Promise<McpHost> => {
    host = await startMcpHost(database, [
      {
        Name: 'remote',
        Url: `${service.url}/mcp`,
        Token: CANARY,
        AllowedTools: [{ Name: 'act' }],
        ConnectTimeout: duration(5),
        Timeout: duration(2),
        ...more,
      },
    ]);
    return host;
  };

  const answer = (call: ServiceCall, response: Parameters<Service['answer']>[1]): void => {
    if (call.method !== 'POST') return void response.writeHead(call.method === 'DELETE' ? 200 : 405).end();
    const { id, method, params } = JSON.parse(call.body) as {
      id?: number;
      method: string;
      params?: { protocolVersion?: string; arguments?: JsonObject };
    };
    const json = (result: object): void =>
      void response
        .writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': session })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method !== 'initialize' && call.headers['mcp-session-id'] !== session)
      return void response.writeHead(end.status).end(end.body);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize')
      return json({
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'remote', version: '1' },
      });
    if (method === 'tools/list') return json({ tools });
    const result = { content: [{ type: 'text', text: way === 'echo' ? JSON.stringify(call.headers) : 'done' }] };
    if (toEnd > 0) {
      toEnd -= 1;
      session = randomUUID();
      return void response.writeHead(end.status).end(end.body);
    }
    if (way === 'refuse')
      return void response.writeHead(refusing.status, refusing.headers).end(refusing.body.replace('ID', String(id)));
    made += 1;
    if (way === 'hold') {
      release = () => json(result);
      return;
    }
    if (way === 'break') return void response.destroy();
    if (way === 'fail') return void response.writeHead(500).end('oops');
    if (way === 'stream')
      return void response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    json(result);
  };

  it('should be called with the token, at the host that is configured, and the token be seen nowhere', async () => {
    way = 'echo';
    const { call, tool, logged } = await start();

    const { content, taint } = await call(TOOL);

    expect(service.calls.every(({ headers }) => headers.authorization === `Bearer ${CANARY}`)).to.equal(true);
    expect(content).to.include('[secret]').and.not.to.include(CANARY);
    expect(taint).to.eql(['mcp:remote']);
    expect(tool(TOOL).hosts({})).to.eql([service.host]);
    expect(logged.join('\n')).not.to.include(CANARY);
  });

  it('should be called with a key in a header of its own', async () => {
    await (await start({ TokenHeader: 'X-API-Key' })).call(TOOL);

    expect(
      service.calls.every(({ headers }) => headers['x-api-key'] === CANARY && headers.authorization === undefined),
    ).to.equal(true);
  });

  it('should be read where they answer by a stream', async () => {
    way = 'stream';

    expect((await (await start()).call(TOOL)).content).to.equal('done');
  });

  for (const status of [404, 400]) {
    it(`should be called in a new session at once where the one before has ended (${status}), without a call being lost or made twice`, async () => {
      const { call, logged } = await start();
      end = { status, body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}' };

      for (let round = 1; round <= 5; round += 1) {
        toEnd = 1;
        expect((await call(TOOL)).content).to.equal('done');
        expect(made).to.equal(round);
      }

      expect(logged.join('\n')).not.to.include('is not responding');
    });
  }

  it('should be called where several sessions end before a call is taken', async () => {
    const { call } = await start();
    toEnd = 4;

    expect((await call(TOOL)).content).to.equal('done');
    expect(made).to.equal(1);
  });

  it('should be given up by a call where each session ends', async () => {
    const { refusal } = await start();
    toEnd = Number.POSITIVE_INFINITY;

    expect(await refusal(TOOL))
      .to.be.instanceOf(RetryableFailure)
      .and.include({ code: 'mcp_server_unavailable' });
    expect(made).to.equal(0);
  });

  it('should answer a call of a session that another call finds ended', async () => {
    // given
    const { call } = await start();
    way = 'hold';
    const held = call(TOOL);
    await until('the call has come', () => made === 1);
    way = 'answer';
    toEnd = 1;

    // when
    const other = await call(TOOL);
    release();

    // then
    expect(other.content).to.equal('done');
    expect((await held).content).to.equal('done');
    expect(made).to.equal(2);
  });

  it('should say why a call is not taken, and when to come again', async () => {
    const { refusal, call, readiness } = await start();
    way = 'refuse';
    refusing = { status: 429, headers: { 'Retry-After': '7' }, body: '{"message":"Slow down."}' };

    const failure = await refusal(TOOL);

    expect(failure).to.be.instanceOf(RetryableFailure).and.include({ retryAfterMs: 7_000 });
    expect(failure.message).to.equal(
      'The MCP server "remote" does not take the call. It answered with status 429: Slow down.',
    );
    expect(await readiness(), 'one call says nothing of the others').to.include({ status: 'ok' });
    way = 'answer';
    expect((await call(TOOL)).content).to.equal('done');
  });

  it('should take a 400 of each session for an answer to the call', async () => {
    const { refusal } = await start();
    way = 'refuse';
    refusing = { status: 400, headers: {}, body: 'no such thing' };

    expect((await refusal(TOOL)).message).to.include('status 400: no such thing');
    expect(service.calls.filter(({ body }) => body.includes('initialize"')).length).to.equal(2);
  });

  it('should be heard where they answer a call with an error and its status', async () => {
    const { refusal } = await start();
    way = 'refuse';
    const body = '{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"Not like this."}}';
    refusing = { status: 400, headers: { 'Content-Type': 'application/json' }, body };

    const failure = await refusal(TOOL);

    expect(failure).to.be.instanceOf(ToolError).and.include({ code: 'mcp_call_refused' });
    expect(failure.message).to.include('Not like this.');
  });

  for (const [what, status, said] of [
    ['let nobody in', 401, 'It answered with status 401: Who are you? Check its Token.'],
    ['are not there', 404, 'It answered with status 404: Who are you? Check its Url.'],
  ] as const) {
    it(`should say on the page of tools and in readiness why they ${what}`, async () => {
      service.answer = (_, response) => void response.writeHead(status).end('{"error":"Who are you?"}');

      const { readiness, pin } = await start({ Name: 'unseen' });

      const { stopped, unavailable } = await pin('mcp.unseen.act');
      expect(stopped?.message).to.equal(`Its server has not told of it yet. ${said}`);
      expect(unavailable).to.equal(said);
      expect((await readiness()).detail).to.include(`"unseen" is not responding (${said.slice(0, -1)})`);
    });
  }

  it('should say which revisions they speak where they speak none that is known here', async () => {
    const error = { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } };
    service.answer = ({ body }, response) =>
      void response
        .writeHead(400, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id, error }));

    const { pin } = await start();

    expect((await pin(TOOL)).unavailable).to.include('It speaks MCP 2026-07-28 only');
  });

  it('should leave open what came of a call where they break off, or fail', async () => {
    const { refusal } = await start();

    for (const open of ['break', 'fail'] as const) {
      way = open;
      const failure = await refusal(TOOL);
      expect(failure, open).not.to.be.instanceOf(RetryableFailure);
      expect(failure, open).not.to.be.instanceOf(ToolError);
    }
    expect(made).to.equal(2);
  });

  it('should not lead anywhere else by a redirect', async () => {
    service.answer = (_, response) => void response.writeHead(307, { Location: `${elsewhere.url}/mcp` }).end();

    const { readiness } = await start();

    expect(await readiness()).to.include({ status: 'warn' });
    expect(elsewhere.calls).to.eql([]);
  });

  it('should end their session with the host', async () => {
    await start();

    await host?.stop();
    host = undefined;

    expect(service.calls.at(-1)).to.include({ method: 'DELETE' });
  });
});
