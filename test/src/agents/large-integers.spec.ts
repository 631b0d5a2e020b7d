import { connectorHttpPlugin } from '@countersign/connector-http';
import { modelOpenaiPlugin } from '@countersign/model-openai';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { OpenAiWire, type WireAnswer } from '@countersign/testing';
import { expect } from 'chai';
import { startService, type Service } from '../connectors/connectors.spec.support.js';
import { part, stream } from '../models/chat-stream.spec.support.js';
import { pendingOf, settled, startAgentHost, workOf, type AgentHost } from './agent-host.spec.support.js';

const KEY = 'sk-test-0123456789';

describe('large integers in a call of a tool', () => {
  let wire: OpenAiWire;
  let service: Service;
  let test: AgentHost;

  before(async () => {
    wire = new OpenAiWire(KEY);
    service = await startService();
    test = await startAgentHost({
      agents: {
        clerk: {
          definition: { model: { provider: 'openai', name: 'm', timeout: 'PT20S' }, tools: ['http.request'] },
          script: { rules: [{ answer: { text: 'It is never asked.' } }] },
        },
      },
      plugins: [outboundHttpPlugin, connectorHttpPlugin, modelOpenaiPlugin],
      configuration: {
        Connectors: { AllowedNetworks: ['127.0.0.1'] },
        Agents: { Http: { AllowedHosts: [service.host] } },
        Models: { OpenAI: { BaseUrl: `${await wire.listen()}/v1`, ApiKey: KEY, MaxRetries: 0 } },
      },
    });
  });

  after(async () => {
    await test.close();
    await Promise.all([wire.close(), service.close()]);
  });

  const wants = (body: string): WireAnswer => {
    const given = `{"method":"POST","url":"${service.url}/orders","body":${body}}`;
    const call = { index: 0, id: 'c1', function: { name: 'http_request', arguments: given } };
    return stream(part({ tool_calls: [call] }), part({}, 'tool_calls'));
  };

  it('should be refused as numbers, and sent as the text that the approver has seen', async () => {
    // given
    service.answer = (_, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":9007199254740993}');
    wire.script = [{ text: 'Done.' }];
    wire.next.push(
      wants('{"lines":[{"sku":18446744073709551615}]}'),
      wants('{"lines":[{"sku":"18446744073709551615","rate":0.1}]}'),
    );
    const { runId } = await test.start({ workflowId: 'wf-clerk', headers: { agent: 'clerk', prompt: 'Order.' } });
    const approvalId = pendingOf(await settled(test.operator, runId), 'approval');
    const { subject, digest } = await test.approver.getApproval({ approvalId });

    // when
    await test.approver.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest } });
    const ended = await settled(test.operator, runId);

    // then
    expect(ended.status).to.equal('completed');
    const body = { lines: [{ sku: '18446744073709551615', rate: 0.1 }] };
    expect(subject).to.have.deep.nested.property('inputs.body', body);
    expect(service.calls.map((call) => JSON.parse(call.body) as unknown)).to.deep.equal([body]);
    const [refused, made] = (await workOf(test.operator, ended)).turns.flatMap(({ calls }) => calls);
    expect(JSON.stringify(refused?.result)).to.contain('/body/lines/0/sku').and.to.contain('18446744073709551615');
    expect(JSON.stringify(made?.result), 'what came back').to.contain('9007199254740993');
  });
});
