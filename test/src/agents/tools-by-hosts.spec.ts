import { agentMcpPlugin } from '@countersign/agent-mcp';
import { connectorCodehostPlugin } from '@countersign/connector-codehost';
import { connectorHttpPlugin } from '@countersign/connector-http';
import type { JsonObject } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Service, type ServiceCall } from '../connectors/connectors.spec.support.js';
import { buildListedTool } from '../mcp/mcp.spec.support.js';
import { waitUntilSettled, startAgentHost, getAgentWork, type AgentHost } from './agent-host.spec.support.js';
import { FORBID_LOCALHOST, FORBID_PORT_80, writePermissivePolicies } from './permissive-policies.spec.support.js';

const CODE_HOST_ARGUMENTS = { repository: 'ada/shop' };

describe('policies that forbid tool calls by host', function () {
  this.timeout(60_000);

  let directory: string;
  let service: Service;
  let test: AgentHost;

  /** Returns the arguments with which each tool calls a service at this origin. */
  const buildArgumentsByTool = (origin: string): Readonly<Record<string, JsonObject>> => ({
    'http.get': { url: `${origin}/orders` },
    'http.request': { method: 'POST', url: `${origin}/orders`, body: { amount: 5 } },
    'codehost.issue.read': { ...CODE_HOST_ARGUMENTS, number: 7 },
    'codehost.issue.label': { ...CODE_HOST_ARGUMENTS, number: 7, labels: ['bug'] },
    'codehost.comment': { ...CODE_HOST_ARGUMENTS, number: 7, body: 'Hi.' },
    'codehost.status': { ...CODE_HOST_ARGUMENTS, sha: 'a'.repeat(40), state: 'success', context: 'ci' },
    'codehost.pullRequest': { ...CODE_HOST_ARGUMENTS, head: 'topic', base: 'main', title: 'T' },
    'mcp.there.act': { note: 'alpha' },
  });
  const TOOLS = Object.keys(buildArgumentsByTool('http://127.0.0.1'));

  before(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-hosts-'));
    service = await startService();
    service.respond = respond;
    const forbiddenUrl = service.url.replace('127.0.0.1', 'localhost');
    const agentCallingTool = (tool: string, toolArguments: JsonObject | undefined) => ({
      definition: { tools: TOOLS },
      script: {
        rules: [
          { when: { turn: 1 }, answer: { calls: [{ tool, arguments: toolArguments }] } },
          { answer: { text: 'Done.' } },
        ],
      },
    });
    test = await startAgentHost({
      agents: {
        ...Object.fromEntries(
          TOOLS.map((tool) => [agentName(tool), agentCallingTool(tool, buildArgumentsByTool(forbiddenUrl)[tool])]),
        ),
        elsewhere: agentCallingTool('http.get', { url: `${service.url}/orders` }),
        port80: agentCallingTool('http.get', { url: 'http://127.0.0.1/orders' }),
      },
      plugins: [outboundHttpPlugin, connectorHttpPlugin, connectorCodehostPlugin, agentMcpPlugin],
      configuration: {
        ...(await writePermissivePolicies(directory, `${FORBID_LOCALHOST}${FORBID_PORT_80}`)),
        Connectors: {
          AllowedNetworks: ['127.0.0.1', '::1'],
          CodeHost: { BaseUrl: `${forbiddenUrl}/api`, Token: 'token-of-the-code-host' },
        },
        Agents: {
          Http: { AllowedHosts: ['127.0.0.1:*', 'localhost:*'] },
          CodeHost: { Repositories: ['ada/*'] },
          Mcp: { Servers: [{ Name: 'there', Url: `${forbiddenUrl}/mcp`, AllowedTools: [{ Name: 'act' }] }] },
        },
      },
    });
    service.calls.splice(0);
  });

  after(async () => {
    await test.close();
    await service.close();
    await rm(directory, { recursive: true, force: true });
  });

  const agentName = (tool: string) => tool.toLowerCase().replaceAll('.', '-');

  /** Responds as an MCP server and as any other service. */
  function respond(call: ServiceCall, response: ServerResponse): void {
    if (call.path !== '/mcp' || call.method !== 'POST') return void response.end('{}');
    const { id, method, params } = JSON.parse(call.body) as {
      id?: number;
      method?: string;
      params?: { protocolVersion?: string };
    };
    if (id === undefined) return void response.writeHead(202).end();
    const result =
      method === 'initialize'
        ? {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'there', version: '1' },
          }
        : method === 'tools/list'
          ? { tools: [buildListedTool()] }
          : undefined;
    const body = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  }

  const run = async (agent: string) => {
    const { runId } = await test.start({ workflowId: `wf-${agent}`, headers: { agent, prompt: 'Do it.' } });
    const { turns } = await getAgentWork(test.operator, await waitUntilSettled(test.operator, runId));
    return turns.flatMap(({ calls }) => calls.map(({ tool, status, result }) => [tool, status, resultError(result)]));
  };
  const resultError = (result: unknown) => (result as { readonly error?: string } | null)?.error;
  /** Returns the received requests that are tool calls. */
  const listReceivedCalls = () =>
    service.calls.filter(({ path, body }) => path !== '/mcp' || body.includes('tools/call'));

  for (const tool of TOOLS)
    it(`should refuse a call to a forbidden host: ${tool}`, async () => {
      expect(await run(agentName(tool))).to.deep.equal([[tool, 'refused', 'policy_denied']]);
      expect(listReceivedCalls()).to.deep.equal([]);
    });

  it('should refuse a call to a forbidden default port that the URL omits', async () => {
    expect(await run('port80')).to.deep.equal([['http.get', 'refused', 'policy_denied']]);
    expect(listReceivedCalls()).to.deep.equal([]);
  });

  it('should allow a call to another host', async () => {
    expect(await run('elsewhere')).to.deep.equal([['http.get', 'completed', undefined]]);
    expect(listReceivedCalls().map(({ path }) => path)).to.deep.equal(['/orders']);
  });
});
