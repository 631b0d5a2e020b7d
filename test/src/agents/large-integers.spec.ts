import { connectorHttpPlugin } from '@countersign/connector-http';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import type { FakeServerHandler } from '@countersign/testing';
import { expect } from 'chai';
import { startService, type Service } from '../connectors/connectors.spec.support.js';
import { createChunk, streamChunks } from '../models/chat-stream.spec.support.js';
import { requirePendingId, waitUntilSettled, getAgentWork } from './agent-host.spec.support.js';
import { startOpenAiAgents, type OpenAiAgents } from './openai-agents.spec.support.js';

describe('large integers in tool calls', () => {
  let service: Service;
  let test: OpenAiAgents;

  before(async () => {
    service = await startService();
    test = await startOpenAiAgents({
      definitions: { clerk: { tools: ['http.request'] } },
      plugins: [outboundHttpPlugin, connectorHttpPlugin],
      configuration: {
        Connectors: { AllowedNetworks: ['127.0.0.1'] },
        Agents: { Http: { AllowedHosts: [service.host] } },
      },
    });
  });

  after(async () => {
    await test.close();
    await service.close();
  });

  const postOrderCall = (body: string): FakeServerHandler => {
    const argumentsText = `{"method":"POST","url":"${service.url}/orders","body":${body}}`;
    const call = { index: 0, id: 'c1', function: { name: 'http_request', arguments: argumentsText } };
    return streamChunks(createChunk({ tool_calls: [call] }), createChunk({}, 'tool_calls'));
  };

  it('should be refused as numbers and sent as the strings that the approver saw', async () => {
    // given
    service.respond = (_, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":9007199254740993}');
    test.wire.script = [{ text: 'Done.' }];
    test.wire.nextHandlers.push(
      postOrderCall('{"lines":[{"sku":18446744073709551615}]}'),
      postOrderCall('{"lines":[{"sku":"18446744073709551615","rate":0.1}]}'),
    );
    const { runId } = await test.start({ workflowId: 'wf-clerk', headers: { agent: 'clerk', prompt: 'Order.' } });
    const approvalId = requirePendingId(await waitUntilSettled(test.operator, runId), 'approval');
    const { subject, digest } = await test.approver.getApproval({ approvalId });

    // when
    await test.approver.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest } });
    const endedRun = await waitUntilSettled(test.operator, runId);

    // then
    expect(endedRun.status).to.equal('completed');
    const body = { lines: [{ sku: '18446744073709551615', rate: 0.1 }] };
    expect(subject).to.have.deep.nested.property('inputs.body', body);
    expect(service.calls.map((call) => JSON.parse(call.body) as unknown)).to.deep.equal([body]);
    const [refusedCall, executedCall] = (await getAgentWork(test.operator, endedRun)).turns.flatMap(
      ({ calls }) => calls,
    );
    expect(JSON.stringify(refusedCall?.result)).to.contain('/body/lines/0/sku').and.to.contain('18446744073709551615');
    expect(JSON.stringify(executedCall?.result), 'the result of the call').to.contain('9007199254740993');
  });
});
