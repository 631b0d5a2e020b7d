import { buildEvidencePackJsonSchema, type Approval, type Client, type EvidencePack } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { Validator, type Schema } from '@cfworker/json-schema';
import { expect } from 'chai';
import { agentModel, createDigest, ScriptedAgents } from './scripted-agents.spec.support.js';
import { findPackErrors } from './check-pack.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';
import { Device } from './signing.spec.support.js';

const forgeries: Record<string, (copy: EvidencePack) => void> = {
  'the approved arguments': ({ approvals }) => void (approvals[1]!.subject.inputs = { text: 'hello' }),
  'the executed arguments': ({ agentWork }) => void (agentWork[0]!.turns[0]!.calls[0]!.arguments = { text: 'hello' }),
  'the editor': ({ approvals }) => Object.assign(approvals[1]!.subject, { editedBy: 'vera' }),
  'the approval of the call': ({ events }) =>
    void (events.find(({ type }) => type === 'agent.call.dispatched')!.data['approvalId'] = null),
  'the result of the call': ({ agentWork }) => void (agentWork[0]!.turns[0]!.calls[0]!.result = 'other'),
  'the text of the language model': ({ agentWork }) => void (agentWork[0]!.turns[0]!.text = 'other'),
  'the policy decision on the call': ({ agentWork }) =>
    void (agentWork[0]!.turns[0]!.calls[0]!.policyDecision!.riskLevel = 'low'),
  'a turn': ({ agentWork }) => void (agentWork[0]!.turns.length = 1),
};

const SIGNATURE_PROPERTIES =
  '<zeebe:properties><zeebe:property name="approval.requireSignature" value="true" /></zeebe:properties>';
const QUORUM_PROPERTIES = '<zeebe:properties><zeebe:property name="approval.quorum" value="2" /></zeebe:properties>';

describe('API: approvals of tool calls', () => {
  const agents = new ScriptedAgents({
    // The data is tainted, so the write of the agent requires an approval.
    writer: (turn) =>
      turn === 1
        ? { text: 'I write.', taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'hello' } }] }
        : { output: { done: true } },
  });
  let countersign: TestHost;
  let viewer: Client;
  let approver: Client;
  let secondApprover: Client;

  before(async () => {
    countersign = await createTestHost({ plugins: [agents.plugin()] });
    [viewer, approver, secondApprover] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('approver', 'ada'),
      countersign.client('approver', 'bea'),
    ]);
    await countersign.deploy(agentModel('write', 'writer'));
    await countersign.deploy(agentModel('write-signed', 'writer', '', SIGNATURE_PROPERTIES));
    await countersign.deploy(agentModel('write-by-two', 'writer', '', QUORUM_PROPERTIES));
  });

  after(() => countersign.close());

  beforeEach(() => (agents.executedCalls.length = 0));

  async function createApproval(workflowId = 'write', client = viewer): Promise<Approval> {
    const { runId } = await client.startRun({ body: { workflowId } });
    return waitForApproval(client, runId);
  }

  async function waitForFinalEvent(runId: string): Promise<string | undefined> {
    let lastType: string | undefined;
    for await (const event of viewer.streamRunEvents({ runId })) lastType = event.type;
    return lastType;
  }

  it('should show the proposed call and execute exactly that call after approval', async () => {
    // given
    const approval = await createApproval();
    const { subject } = approval;

    // then
    expect(approval).to.deep.include({
      status: 'pending',
      round: 1,
      elementId: 'work',
      requestedBy: 'vera',
      canDecide: { allowed: false, reasons: ['forbidden', 'self_approval'] },
    });
    expect(approval).to.include({ riskLevel: 'critical' });
    expect(approval.rationale).to.match(/The tool makes changes/);
    expect(subject).to.deep.include({
      kind: 'tool_call',
      tool: 'note',
      toolDigest: createDigest('f'),
      inputs: { text: 'hello' },
      effect: 'write',
      reversible: false,
      hosts: ['notes.example.org'],
      taint: ['webhook'],
      evidence: [],
      agent: { name: 'writer', definitionDigest: createDigest('d') },
      editedBy: null,
    });
    expect(await approver.getApproval({ approvalId: approval.approvalId })).to.deep.include({
      canDecide: { allowed: true, reasons: [] },
    });
    expect((await approver.listApprovals({ mine: true })).items.map(({ approvalId }) => approvalId)).to.include(
      approval.approvalId,
    );
    const run = await viewer.getRun({ runId: approval.runId });
    expect(run).to.include({ status: 'blocked', pendingApprovals: 1 });
    expect(run.steps.find(({ elementId }) => elementId === 'work')).to.include({
      status: 'waiting',
      agentName: 'writer',
    });
    expect(agents.executedCalls).to.deep.equal([]);

    // when
    const decidedApproval = await approver.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', expectedDigest: approval.digest },
    });

    // then
    expect(decidedApproval).to.include({ status: 'approved', resolvedBy: 'ada' });
    expect(decidedApproval.votes.map((vote) => vote.digest)).to.deep.equal([approval.digest]);
    expect(await waitForFinalEvent(approval.runId)).to.equal('run.completed');
    expect(agents.executedCalls.map(({ tool, arguments: toolArguments }) => [tool, toolArguments])).to.deep.equal([
      ['note', { text: 'hello' }],
    ]);
  });

  it('should return the comment on a rejected call to the agent and complete the run', async () => {
    const { approvalId, runId, stepId } = await createApproval();
    await approver.decideApproval({ approvalId, body: { decision: 'reject', comment: 'Not today.' } });
    expect(await waitForFinalEvent(runId)).to.equal('run.completed');
    expect(agents.executedCalls).to.deep.equal([]);
    const [turn] = (await viewer.getAgentWork({ runId, stepId })).turns;
    expect(turn?.calls[0]).to.include({ status: 'refused', approvalId, isError: true });
    expect(JSON.stringify(turn?.calls[0]?.result)).to.include('Not today.');
  });

  it('should execute an edited call after another person has approved the edit', async () => {
    // given
    const approval = await createApproval();

    // when
    const edited = await approver.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', editedArguments: { text: 'Hello!' }, comment: 'Politely.' },
    });

    // then
    expect(edited).to.deep.include({
      status: 'pending',
      votes: [],
      canDecide: { allowed: false, reasons: ['self_approval'] },
    });
    expect(
      await expectProblem(approver.decideApproval({ approvalId: edited.approvalId, body: { decision: 'approve' } })),
    ).to.include({ status: 403, code: 'self_approval' });
    expect((await approver.listApprovals({ mine: true })).items.map(({ approvalId }) => approvalId)).to.not.include(
      edited.approvalId,
    );
    expect(agents.executedCalls).to.deep.equal([]);

    // when
    const decidedApproval = await secondApprover.decideApproval({
      approvalId: edited.approvalId,
      body: { decision: 'approve', expectedDigest: edited.digest },
    });

    // then
    expect(decidedApproval).to.deep.include({
      status: 'approved',
      resolvedBy: 'bea',
      previousApprovalId: approval.approvalId,
      round: 2,
    });
    expect(decidedApproval.approvalId).to.not.equal(approval.approvalId);
    expect(decidedApproval.subject).to.deep.include({ inputs: { text: 'Hello!' }, editedBy: 'ada' });
    expect(await approver.getApproval({ approvalId: approval.approvalId })).to.include({ status: 'withdrawn' });
    expect(await waitForFinalEvent(approval.runId)).to.equal('run.completed');
    expect(agents.executedCalls.map(({ arguments: toolArguments }) => toolArguments)).to.deep.equal([
      { text: 'Hello!' },
    ]);
    const { turns } = await viewer.getAgentWork({ runId: approval.runId, stepId: approval.stepId });
    expect(turns[0]?.calls[0]).to.deep.include({
      arguments: { text: 'Hello!' },
      editedBy: 'ada',
      approvalId: decidedApproval.approvalId,
      status: 'completed',
    });
    const events = (await viewer.listRunEvents({ runId: approval.runId, limit: 200 })).items;
    expect(
      events.find(({ type, data }) => type === 'approval.withdrawn' && data['reason'] === 'edited'),
    ).to.deep.nested.include({ 'actor': 'ada', 'data.comment': 'Politely.' });
    const audit = (await (await countersign.client('operator')).listAuditEvents({ runId: approval.runId })).items;
    expect(audit.find(({ action, data }) => action === 'approval.vote' && data?.['edited'] === true)?.data).to.include({
      edited: true,
      tool: 'note',
    });
  });

  it('should treat an edit with identical arguments as an approval', async () => {
    const { approvalId, runId } = await createApproval();
    const decidedApproval = await approver.decideApproval({
      approvalId,
      body: { decision: 'approve', editedArguments: { text: 'hello' } },
    });
    expect(decidedApproval).to.deep.include({ approvalId, status: 'approved' });
    expect(decidedApproval.subject).to.deep.include({ editedBy: null });
    expect(await waitForFinalEvent(runId)).to.equal('run.completed');
  });

  it('should require the whole quorum again for an edited call', async () => {
    // given
    const { approvalId, runId } = await createApproval('write-by-two');
    await secondApprover.decideApproval({ approvalId, body: { decision: 'approve' } });

    // when
    const edited = await approver.decideApproval({
      approvalId,
      body: { decision: 'approve', editedArguments: { text: 'Hi.' } },
    });

    // then
    expect(edited).to.deep.include({ status: 'pending', quorum: { required: 2, approvals: 0 }, votes: [] });
    expect(agents.executedCalls).to.deep.equal([]);
    await (
      await countersign.client('approver', 'cid')
    ).decideApproval({ approvalId: edited.approvalId, body: { decision: 'approve' } });
    expect(agents.executedCalls).to.deep.equal([]);
    const decidedApproval = await secondApprover.decideApproval({
      approvalId: edited.approvalId,
      body: { decision: 'approve', expectedDigest: edited.digest },
    });
    expect(decidedApproval).to.include({ status: 'approved' });
    expect(await waitForFinalEvent(runId)).to.equal('run.completed');
    expect(agents.executedCalls.map(({ arguments: toolArguments }) => toolArguments)).to.deep.equal([{ text: 'Hi.' }]);
  });

  it('should require another person to sign the edited call', async () => {
    // given
    const approval = await createApproval('write-signed');
    const device = await Device.forServer(approver);
    await device.register(approver, 'ada');
    const secondDevice = await Device.forServer(secondApprover);
    await secondDevice.register(secondApprover, 'bea');
    const editedArguments = { text: 'Hello!' };
    expect(approval).to.include({ signatureRequired: true });
    expect(
      await expectProblem(approver.decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } })),
    ).to.include({ code: 'signature_required' });
    expect(
      await expectProblem(
        approver.decideApproval({
          approvalId: approval.approvalId,
          body: { decision: 'approve', editedArguments, signature: device.signVote(approval, 'approve') },
        }),
      ),
    ).to.include({ code: 'edit_not_possible' });

    // when
    const edited = await approver.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', editedArguments },
    });

    // then
    expect(edited).to.deep.include({
      status: 'pending',
      round: 2,
      votes: [],
      signatureRequired: true,
      previousApprovalId: approval.approvalId,
    });
    expect(edited.subject).to.deep.include({ inputs: editedArguments, editedBy: 'ada' });
    expect(agents.executedCalls).to.deep.equal([]);
    expect(
      await expectProblem(
        approver.decideApproval({
          approvalId: edited.approvalId,
          body: { decision: 'approve', signature: device.signVote(edited, 'approve') },
        }),
      ),
    ).to.include({ code: 'self_approval' });
    expect(
      await expectProblem(
        secondApprover.decideApproval({
          approvalId: edited.approvalId,
          body: { decision: 'approve', signature: secondDevice.signVote(approval, 'approve') },
        }),
      ),
    ).to.include({ code: 'signature_invalid' });
    const signedApproval = await secondApprover.decideApproval({
      approvalId: edited.approvalId,
      body: { decision: 'approve', signature: secondDevice.signVote(edited, 'approve') },
    });
    expect(signedApproval).to.deep.include({ status: 'approved', resolvedBy: 'bea' });
    expect(await waitForFinalEvent(approval.runId)).to.equal('run.completed');
    expect(agents.executedCalls.map(({ arguments: toolArguments }) => toolArguments)).to.deep.equal([editedArguments]);
    expect(findPackErrors(await viewer.getEvidencePack({ runId: approval.runId }))).to.deep.equal([]);
  });

  it('should refuse edits with invalid arguments and edits in a rejection', async () => {
    const { approvalId } = await createApproval();
    const proposeEdit = (
      decision: 'approve' | 'reject',
      editedArguments: Record<string, string | number>,
    ): Promise<unknown> => expectProblem(approver.decideApproval({ approvalId, body: { decision, editedArguments } }));
    const validationProblem = await expectProblem(
      approver.decideApproval({ approvalId, body: { decision: 'approve', editedArguments: { text: 1 } } }),
    );
    expect(validationProblem).to.include({ status: 422, code: 'validation_failed' });
    expect(validationProblem.errors).to.deep.equal([
      { pointer: '/editedArguments/text', code: 'invalid_type', message: 'Must be a string.' },
    ]);
    expect(await proposeEdit('approve', { text: 'a', to: 'b' })).to.include({ status: 422, code: 'validation_failed' });
    expect(await proposeEdit('reject', { text: 'a' })).to.include({ status: 422, code: 'edit_not_possible' });
    expect(await viewer.getApproval({ approvalId })).to.deep.include({ status: 'pending', votes: [] });
  });

  it('should apply an edit once when its request is repeated, and never execute the original call', async () => {
    // given
    const { approvalId, runId } = await createApproval();
    const proposeEdit = (text: string): Promise<Approval> =>
      approver.decideApproval(
        { approvalId, body: { decision: 'approve', editedArguments: { text } } },
        { idempotencyKey: `edit-${approvalId}` },
      );

    // when
    const first = await proposeEdit('Once.');

    // then
    expect(await proposeEdit('Once.')).to.deep.equal(first);
    expect(await expectProblem(proposeEdit('Other.'))).to.include({ status: 422, code: 'idempotency_key_reused' });
    const lateEditProblem = await expectProblem(
      secondApprover.decideApproval({ approvalId, body: { decision: 'approve', editedArguments: { text: 'Late.' } } }),
    );
    expect(lateEditProblem).to.include({ status: 409, code: 'approval_already_resolved' });
    await secondApprover.decideApproval({ approvalId: first.approvalId, body: { decision: 'approve' } });
    expect(await waitForFinalEvent(runId)).to.equal('run.completed');
    expect(agents.executedCalls.map(({ arguments: toolArguments }) => toolArguments)).to.deep.equal([
      { text: 'Once.' },
    ]);
  });

  it('should refuse an edit by the initiator of the run or by an agent', async () => {
    const { approvalId } = await createApproval('write', approver);
    expect(
      await expectProblem(
        approver.decideApproval({ approvalId, body: { decision: 'approve', editedArguments: { text: 'Mine.' } } }),
      ),
    ).to.include({ status: 403, code: 'self_approval' });
    const agentResponse = await fetch(`${countersign.url}/api/approvals/${approvalId}/decision`, {
      method: 'POST',
      headers: {
        'authorization': `Bearer ${await countersign.token('approver', { subject: 'robot', kind: 'agent' })}`,
        'content-type': 'application/json',
      },
      body: '{"decision":"approve","editedArguments":{"text":"x"}}',
    });
    expect([agentResponse.status, ((await agentResponse.json()) as { code: string }).code]).to.deep.equal([
      403,
      'service_cannot_decide',
    ]);
    expect(agents.executedCalls).to.deep.equal([]);
  });

  it('should detect changes of the proposed, edited, approved and executed call in the evidence pack', async () => {
    // given
    const approval = await createApproval();
    const edited = await approver.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', editedArguments: { text: 'Proven.' } },
    });
    await secondApprover.decideApproval({ approvalId: edited.approvalId, body: { decision: 'approve' } });
    await waitForFinalEvent(approval.runId);

    // when
    const pack = await viewer.getEvidencePack({ runId: approval.runId });

    // then
    const { valid, errors } = new Validator(buildEvidencePackJsonSchema() as Schema, '2020-12').validate(pack);
    expect(errors).to.deep.equal([]);
    expect(valid).to.equal(true);
    expect(findPackErrors(pack)).to.deep.equal([]);
    expect(pack.approvals.map(({ status, subject }) => [status, subject.inputs])).to.deep.equal([
      ['withdrawn', { text: 'hello' }],
      ['approved', { text: 'Proven.' }],
    ]);
    expect(pack.agentWork).to.have.length(1);
    for (const [caseName, forge] of Object.entries(forgeries)) {
      const copy = structuredClone(pack);
      forge(copy);
      expect(findPackErrors(copy), caseName).to.not.be.empty;
    }
  });
});
