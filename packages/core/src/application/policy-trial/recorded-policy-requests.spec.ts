import type { JsonObject, RunEvent, WorkflowGraph } from '@countersign/model';
import { expect } from 'chai';
import { RecordedPolicyRequests } from './recorded-policy-requests.js';

type Event = Parameters<RecordedPolicyRequests['apply']>[0];

const RUN = { runId: 'r-1', workflowId: 'triage', startedBy: 'otto' };
const graph = {
  nodes: new Map([['call', { id: 'call', name: null, type: 'serviceTask', kind: 'userTask' }]]),
} as unknown as WorkflowGraph;

function createEvent(type: RunEvent['type'], data: JsonObject, privateData: JsonObject): Event {
  return { type, stepId: 's-1', elementId: 'call', data, private: privateData, commitment: 'c' } as Event;
}

describe('RecordedPolicyRequests', () => {
  const recordRequests = (step: JsonObject, call: JsonObject): RecordedPolicyRequests => {
    const requests = new RecordedPolicyRequests(RUN, () => graph);
    const allowed = { policyDecision: { decision: 'allow' } };
    requests.apply(createEvent('run.started', { workflowDigest: 'd', workflowVersion: 1 }, {}));
    requests.apply(createEvent('step.started', allowed, { asked: step }));
    requests.apply(createEvent('agent.call.requested', { ...allowed, callId: 'k-1' }, call));
    return requests;
  };
  const destinations = ({ replayable }: RecordedPolicyRequests): unknown =>
    replayable.map(({ request: { hosts, ports } }) => ({ hosts, ports }));

  it('should contain the recorded ports of steps and calls', () => {
    const requests = recordRequests({ hosts: ['a.example'], ports: [443] }, { hosts: ['b.example'], ports: [80] });
    expect(destinations(requests)).to.deep.equal([
      { hosts: ['a.example'], ports: [443] },
      { hosts: ['b.example'], ports: [80] },
    ]);
  });

  it('should derive the ports from the hosts in histories from before ADR 140', () => {
    const requests = recordRequests({ hosts: ['a.example'] }, { hosts: ['b.example:8443'] });
    expect(destinations(requests)).to.deep.equal([
      { hosts: ['a.example'], ports: [80, 443] },
      { hosts: ['b.example:8443'], ports: [8443] },
    ]);
  });
});
