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
type Way = 'answer' | 'break' | 'fail' | 'forget' | 'stream' | 'echo';

describe('MCP servers over streamable HTTP', () => {
  let database: TestDatabase;
  let service: Service;
  let elsewhere: Service;
  let host: McpHost | undefined;
  let session: string;
  let tools: JsonObject[];
  let way: Way;
  let made: number;

  before(async () => {
    [database, service, elsewhere] = await Promise.all([createMigratedTestDatabase(), startService(), startService()]);
  });

  beforeEach(() => {
    [session, tools, way, made] = [randomUUID(), [listed()], 'answer', 0];
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
      return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize')
      return json({
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'remote', version: '1' },
      });
    if (method === 'tools/list') return json({ tools });
    const result = { content: [{ type: 'text', text: way === 'echo' ? JSON.stringify(call.headers) : 'done' }] };
    if (way === 'forget') {
      session = randomUUID();
      way = 'answer';
      return void response.writeHead(404).end();
    }
    made += 1;
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

  it('should be connected to again where the session has ended, without a call being lost or made twice', async () => {
    const { refusal, readiness, call } = await start();
    way = 'forget';

    expect(await refusal(TOOL))
      .to.be.instanceOf(RetryableFailure)
      .and.include({ code: 'mcp_server_unavailable' });
    await until('it is ready', async () => (await readiness()).status === 'ok');
    expect((await call(TOOL)).content).to.equal('done');
    expect(made).to.equal(1);
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
