import type { ServerResponse } from 'node:http';
import { agentMcpPlugin } from '@countersign/agent-mcp';
import type { Client } from '@countersign/contract';
import type { JsonObject } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { expect } from 'chai';
import { settled, startAgentHost, workOf, type AgentHost } from '../../agents/agent-host.spec.support.js';
import { startService, type Service, type ServiceCall } from '../../connectors/connectors.spec.support.js';
import { tableOf } from '../../docs/table.spec.support.js';
import { type Behaviour, HTTP_BEHAVIOURS, type HttpBehaviour, TOOL } from './http-behaviours.spec.support.js';
import { Exchange, freshMemory, type Memory } from './played-exchange.spec.support.js';
import { PROGRAM_BEHAVIOURS, programOf } from './program-behaviours.spec.support.js';

const REVISION = '2026-07-28';
const ALL: readonly Behaviour[] = [...HTTP_BEHAVIOURS, ...PROGRAM_BEHAVIOURS];
const nameOf = (behaviour: Behaviour): string => `s${ALL.indexOf(behaviour)}`;

/** Returns an agent with four turns: one call, two parallel calls, another call, and the final response. */
const agentOf = (behaviour: Behaviour) => {
  const tool = `mcp.${nameOf(behaviour)}.find`;
  const turn = (number: number, ...asked: string[]) => ({
    when: { turn: number },
    answer: { calls: asked.map((q) => ({ tool, arguments: { q } })) },
  });
  return {
    definition: { tools: [tool] },
    script: { rules: [turn(1, 'a'), turn(2, 'b', 'c'), turn(3, 'd'), { answer: { text: 'done' } }] },
  };
};

describe('behaviours of MCP servers', function () {
  this.timeout(60_000);

  let service: Service;
  let test: AgentHost;
  let admin: Client;

  before(async () => {
    service = await startService();
    const memories = new Map(HTTP_BEHAVIOURS.map((behaviour) => [nameOf(behaviour), freshMemory()] as const));
    service.answer = (call, response) => {
      const name = call.path.slice(1);
      const [behaviour, memory] = [HTTP_BEHAVIOURS.find((each) => nameOf(each) === name), memories.get(name)];
      if (behaviour === undefined || memory === undefined) return void response.writeHead(404).end();
      play(behaviour, memory, call, response);
    };
    const configured = (behaviour: Behaviour, more: JsonObject): JsonObject => ({
      Name: nameOf(behaviour),
      AllowedTools: [{ Name: 'find', Effect: 'read' }],
      ...more,
    });
    test = await startAgentHost({
      agents: Object.fromEntries(ALL.map((behaviour) => [nameOf(behaviour), agentOf(behaviour)])),
      plugins: [outboundHttpPlugin, agentMcpPlugin],
      configuration: {
        Connectors: { AllowedNetworks: ['127.0.0.1'] },
        Agents: {
          Mcp: {
            Isolation: 'none',
            Servers: [
              ...HTTP_BEHAVIOURS.map((each) => configured(each, { Url: `${service.url}/${nameOf(each)}` })),
              ...PROGRAM_BEHAVIOURS.map((each) =>
                configured(each, { Command: process.execPath, Args: ['-e', programOf(each.script)] }),
              ),
            ],
          },
        },
      },
    });
    admin = await test.client('admin', 'ada');
  });

  after(async () => {
    await test.close();
    await service.close();
  });

  for (const behaviour of ALL) {
    const { what, result, told } = behaviour;
    const tool = `mcp.${nameOf(behaviour)}.find`;
    if (told instanceof RegExp) {
      it(`should handle this behaviour: ${what} – ${result}`, async () => {
        const { items } = await admin.listTools({ limit: 200 });

        expect(items.find(({ name }) => name === tool)?.unavailable).to.match(told);
      });
      continue;
    }
    it(`should handle this behaviour: ${what} – ${result}`, async () => {
      // when
      const { runId } = await test.start({
        workflowId: `with-${nameOf(behaviour)}`,
        headers: { agent: nameOf(behaviour), prompt: 'Find it.', tools: tool, resultVariable: 'said' },
      });
      const run = await settled(test.operator, runId);

      // then
      expect(run.variables['said']).to.eql({ text: 'done' });
      const { turns } = await workOf(test.operator, run);
      expect(turns).to.have.length(4);
      expect(turns.flatMap(({ calls }) => calls.map((call) => textOf(call.result)))).to.eql(told);
    });
  }

  it('should match the table in the documentation', async () => {
    expect(await tableOf('mcp.md', 'Tested server behaviours')).to.eql(ALL.map(({ what, result }) => [what, result]));
    expect(ALL.length).to.be.greaterThan(19);
  });
});

/** Returns a result as a string; an error with its code. */
function textOf(result: unknown): string {
  if (typeof result === 'string') return result;
  const { error, message } = (result ?? {}) as { error?: string; message?: string };
  return error === undefined ? JSON.stringify(result) : `${error}: ${message}`;
}

/** Responds to a message like the simulated server; by default, like every server of its revision. */
function play(behaviour: HttpBehaviour, memory: Memory, call: ServiceCall, response: ServerResponse): void {
  const exchange = new Exchange(call, response, memory);
  const { id, method, params } = exchange.message;
  const session = call.headers['mcp-session-id'];
  if (behaviour.play?.(exchange) === true) return;
  if (call.method !== 'POST') return exchange.status(call.method === 'DELETE' ? 200 : 405);
  if (method === undefined) {
    memory.waiting.get(id)?.(exchange.message);
    return exchange.status(202);
  }
  if (behaviour.isStateless === true) {
    if (call.headers['mcp-protocol-version'] !== REVISION)
      return exchange.body(400, { error: { code: -32022, message: 'No.', data: { supported: [REVISION] } } });
    if (method === 'server/discover') return exchange.json({ supportedVersions: [REVISION], capabilities: {} });
  } else if (method === 'initialize')
    return exchange.json(
      {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'a', version: '1' },
      },
      behaviour.hasSession === true ? { 'Mcp-Session-Id': memory.session } : {},
    );
  if (behaviour.hasSession === true && session !== memory.session) return exchange.status(404);
  if (id === undefined) return exchange.status(202);
  if (method === 'tools/list') return exchange.json({ tools: behaviour.tools ?? [TOOL] });
  if (method === 'tools/call') return exchange.json(exchange.done);
  exchange.body(200, { error: { code: -32601, message: 'Method not found' } });
}
