import type { ServerResponse } from 'node:http';
import { agentMcpPlugin } from '@countersign/agent-mcp';
import type { Client } from '@countersign/contract';
import type { JsonObject } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { expect } from 'chai';
import {
  waitUntilSettled,
  startAgentHost,
  getAgentWork,
  type AgentHost,
} from '../../agents/agent-host.spec.support.js';
import { startService, type Service, type ServiceCall } from '../../connectors/connectors.spec.support.js';
import { readTable } from '../../docs/table.spec.support.js';
import { type Behaviour, HTTP_BEHAVIOURS, type HttpBehaviour, TOOL } from './http-behaviours.spec.support.js';
import { Exchange, createServerMemory, type ServerMemory } from './exchange.spec.support.js';
import { PROGRAM_BEHAVIOURS, buildProgram } from './program-behaviours.spec.support.js';

const REVISION = '2026-07-28';
const ALL_BEHAVIOURS: readonly Behaviour[] = [...HTTP_BEHAVIOURS, ...PROGRAM_BEHAVIOURS];
const getServerName = (behaviour: Behaviour): string => `s${ALL_BEHAVIOURS.indexOf(behaviour)}`;

/** Returns an agent with four turns: one call, two parallel calls, another call, and the final response. */
const buildAgent = (behaviour: Behaviour) => {
  const tool = `mcp.${getServerName(behaviour)}.find`;
  const queryTurn = (number: number, ...queries: string[]) => ({
    when: { turn: number },
    answer: { calls: queries.map((q) => ({ tool, arguments: { q } })) },
  });
  return {
    definition: { tools: [tool] },
    script: { rules: [queryTurn(1, 'a'), queryTurn(2, 'b', 'c'), queryTurn(3, 'd'), { answer: { text: 'done' } }] },
  };
};

describe('behaviours of MCP servers', function () {
  this.timeout(60_000);

  let service: Service;
  let host: AgentHost;
  let admin: Client;

  before(async () => {
    service = await startService();
    const memories = new Map(
      HTTP_BEHAVIOURS.map((behaviour) => [getServerName(behaviour), createServerMemory()] as const),
    );
    service.respond = (call, response) => {
      const name = call.path.slice(1);
      const [behaviour, memory] = [HTTP_BEHAVIOURS.find((each) => getServerName(each) === name), memories.get(name)];
      if (behaviour === undefined || memory === undefined) return void response.writeHead(404).end();
      respond(behaviour, memory, call, response);
    };
    const buildServerConfiguration = (behaviour: Behaviour, extraFields: JsonObject): JsonObject => ({
      Name: getServerName(behaviour),
      AllowedTools: [{ Name: 'find', Effect: 'read' }],
      ...extraFields,
    });
    host = await startAgentHost({
      agents: Object.fromEntries(ALL_BEHAVIOURS.map((behaviour) => [getServerName(behaviour), buildAgent(behaviour)])),
      plugins: [outboundHttpPlugin, agentMcpPlugin],
      configuration: {
        Connectors: { AllowedNetworks: ['127.0.0.1'] },
        Agents: {
          Mcp: {
            Isolation: 'none',
            Servers: [
              ...HTTP_BEHAVIOURS.map((each) =>
                buildServerConfiguration(each, { Url: `${service.url}/${getServerName(each)}` }),
              ),
              ...PROGRAM_BEHAVIOURS.map((each) =>
                buildServerConfiguration(each, { Command: process.execPath, Args: ['-e', buildProgram(each.script)] }),
              ),
            ],
          },
        },
      },
    });
    admin = await host.client('admin', 'ada');
  });

  after(async () => {
    await host.close();
    await service.close();
  });

  for (const behaviour of ALL_BEHAVIOURS) {
    const { title, result, expectedResults } = behaviour;
    const tool = `mcp.${getServerName(behaviour)}.find`;
    if (expectedResults instanceof RegExp) {
      it(`should handle this behaviour: ${title} – ${result}`, async () => {
        const { items } = await admin.listTools({ limit: 200 });

        expect(items.find(({ name }) => name === tool)?.unavailable).to.match(expectedResults);
      });
      continue;
    }
    it(`should handle this behaviour: ${title} – ${result}`, async () => {
      // when
      const { runId } = await host.start({
        workflowId: `with-${getServerName(behaviour)}`,
        headers: { agent: getServerName(behaviour), prompt: 'Find it.', tools: tool, resultVariable: 'result' },
      });
      const run = await waitUntilSettled(host.operator, runId);

      // then
      expect(run.variables['result']).to.eql({ text: 'done' });
      const { turns } = await getAgentWork(host.operator, run);
      expect(turns).to.have.length(4);
      expect(turns.flatMap(({ calls }) => calls.map((call) => formatResult(call.result)))).to.eql(expectedResults);
    });
  }

  it('should match the table in the documentation', async () => {
    expect(await readTable('mcp.md', 'Tested server behaviours')).to.eql(
      ALL_BEHAVIOURS.map(({ title, result }) => [title, result]),
    );
    expect(ALL_BEHAVIOURS.length).to.be.greaterThan(19);
  });
});

/** Returns a result as a string, and an error as its code and message. */
function formatResult(result: unknown): string {
  if (typeof result === 'string') return result;
  const { error, message } = (result ?? {}) as { error?: string; message?: string };
  return error === undefined ? JSON.stringify(result) : `${error}: ${message}`;
}

/**
 * Lets the simulated server respond to a message: with its special behaviour if there is one, otherwise like a normal
 * server of its revision.
 */
function respond(behaviour: HttpBehaviour, memory: ServerMemory, call: ServiceCall, response: ServerResponse): void {
  const exchange = new Exchange(call, response, memory);
  const { id, method, params } = exchange.message;
  const session = call.headers['mcp-session-id'];
  if (behaviour.handle?.(exchange) === true) return;
  if (call.method !== 'POST') return exchange.sendStatus(call.method === 'DELETE' ? 200 : 405);
  if (method === undefined) {
    memory.replyHandlers.get(id)?.(exchange.message);
    return exchange.sendStatus(202);
  }
  if (behaviour.isStateless === true) {
    if (call.headers['mcp-protocol-version'] !== REVISION)
      return exchange.sendMessage(400, {
        error: { code: -32022, message: 'Unsupported protocol version', data: { supported: [REVISION] } },
      });
    if (method === 'server/discover') return exchange.sendResult({ supportedVersions: [REVISION], capabilities: {} });
  } else if (method === 'initialize')
    return exchange.sendResult(
      {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'a', version: '1' },
      },
      behaviour.hasSession === true ? { 'Mcp-Session-Id': memory.session } : {},
    );
  if (behaviour.hasSession === true && session !== memory.session) return exchange.sendStatus(404);
  if (id === undefined) return exchange.sendStatus(202);
  if (method === 'tools/list') return exchange.sendResult({ tools: behaviour.tools ?? [TOOL] });
  if (method === 'tools/call') return exchange.sendResult(exchange.foundResult);
  exchange.sendMessage(200, { error: { code: -32601, message: 'Method not found' } });
}
