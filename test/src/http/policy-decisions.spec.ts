import type { Client, RecordedDecision } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { agentModel, ScriptedAgents } from './scripted-agents.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';

describe('API: policy decisions', () => {
  const agents = new ScriptedAgents({
    writer: (turn) =>
      turn === 1
        ? { text: 'Writing the note.', taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'hello' } }] }
        : { output: { done: true } },
  });
  let countersign: TestHost;
  let viewer: Client;
  let callDecision: RecordedDecision | undefined;
  const runIds: string[] = [];

  before(async () => {
    countersign = await createTestHost({ plugins: [agents.plugin()], jobTypes: ['work'] });
    viewer = await countersign.client('viewer', 'vera');
    await countersign.deploy(agentModel('write', 'writer'));
    await countersign.deploy(approvalModel('matter'));
    const { runId } = await viewer.startRun({ body: { workflowId: 'write' } });
    await waitForApproval(viewer, runId);
    runIds.push(runId);
    for (let started = 0; started < 3; started += 1)
      runIds.push((await viewer.startRun({ body: { workflowId: 'matter' } })).runId);
  });

  after(() => countersign.close());

  it('should list the policy decisions on steps and tool calls with the same content as in their runs', async () => {
    // when
    const { items } = await viewer.listPolicyDecisions({ workflowId: 'write' });
    const { steps } = await viewer.getRun({ runId: runIds[0] ?? '' });
    const step = steps.find(({ elementId }) => elementId === 'work');
    const work = await viewer.getAgentWork({ runId: runIds[0] ?? '', stepId: step?.stepId ?? '' });
    [callDecision] = items;

    // then
    expect(items.map(({ elementId, tool, agentName }) => [elementId, tool, agentName])).to.deep.equal([
      ['work', 'note', 'writer'],
      ['work', null, 'writer'],
    ]);
    expect(callDecision).to.deep.include({
      runId: runIds[0],
      workflowId: 'write',
      stepId: step?.stepId,
      callId: work.turns[0]?.calls[0]?.callId,
    });
    expect(callDecision?.decision).to.deep.equal(work.turns[0]?.calls[0]?.policyDecision);
    expect(items[1]?.decision).to.deep.equal(step?.policyDecision);
    expect(items[1]).to.include({ callId: null });
  });

  it('should return pages, newest first, and apply filters', async () => {
    // when
    const first = await viewer.listPolicyDecisions({ limit: 2 });
    const rest = await viewer.listPolicyDecisions({ cursor: first.nextCursor ?? '' });
    const { decision, riskLevel, policyDigest } = callDecision?.decision ?? {};

    // then
    const all = [...first.items, ...rest.items];
    expect(new Set(all.map(({ runId }) => runId))).to.deep.equal(new Set(runIds));
    const times = all.map((item) => item.decision.decidedAt);
    expect(times).to.deep.equal([...times].sort().reverse());
    expect(
      (
        await viewer.listPolicyDecisions({
          decision: decision ?? 'deny',
          riskLevel: riskLevel ?? 'low',
          policyDigest: policyDigest ?? '',
        })
      ).items,
    ).to.deep.equal([callDecision]);
    expect(
      (await viewer.listPolicyDecisions({ runId: runIds[1] ?? '' })).items.map(({ elementId }) => elementId),
    ).to.deep.equal(['work']);
    expect((await viewer.listPolicyDecisions({ decision: 'deny' })).items).to.deep.equal([]);
  });

  it('should refuse anonymous callers, invalid cursors and invalid filters', async () => {
    const anonymousResponse = await fetch(`${countersign.url}/api/policy/decisions`);

    expect(anonymousResponse.status).to.equal(401);
    expect(await expectProblem(viewer.listPolicyDecisions({ cursor: 'made-up' }))).to.include({
      code: 'invalid_cursor',
    });
    expect(await expectProblem(viewer.listPolicyDecisions({ decision: 'maybe' as 'deny' }))).to.include({
      code: 'invalid_parameter',
    });
  });
});
