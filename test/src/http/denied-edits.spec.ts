import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { cp, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentModel, ScriptedAgents } from './scripted-agents.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const SHIPPED_POLICIES = fileURLToPath(new URL('../../../packages/plugins/policy-cedar/policies', import.meta.url));
const POLICIES = `@id("test.no-drop")
@rationale("Notes must not contain the word drop")
forbid (principal, action == Action::"call", resource == Tool::"note")
when { context.arguments.hasTag("text") && context.arguments.getTag("text").text like "*drop*" };

@id("test.urgent")
@rationale("Urgent notes need two approvals")
@quorum("2")
permit (principal is Agent, action == Action::"call", resource == Tool::"note")
when { context.arguments.hasTag("text") && context.arguments.getTag("text").text like "*urgent*" };
`;

describe('API: policy checks of edited tool calls', () => {
  const agents = new ScriptedAgents({
    writer: (turn) => (turn === 1 ? { calls: [{ tool: 'note', arguments: { text: 'hello' } }] } : { output: {} }),
  });
  let countersign: TestHost;
  let policyDirectory: string;

  before(async () => {
    policyDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-policies-'));
    await cp(SHIPPED_POLICIES, policyDirectory, { recursive: true });
    await writeFile(join(policyDirectory, 'test.cedar'), POLICIES);
    countersign = await createTestHost({
      plugins: [agents.plugin()],
      configuration: { Policies: { Directory: policyDirectory } },
    });
    await countersign.deploy(agentModel('write', 'writer'));
  });

  after(async () => {
    await countersign.close();
    await rm(policyDirectory, { recursive: true, force: true });
  });

  async function createApproval(): Promise<Approval> {
    const viewer = await countersign.client('viewer', 'vera');
    const { runId } = await viewer.startRun({ body: { workflowId: 'write' } });
    return waitForApproval(viewer, runId);
  }

  async function edit({ approvalId }: Approval, text: string, by = 'ada'): Promise<Approval> {
    const approver = await countersign.client('approver', by);
    return approver.decideApproval({ approvalId, body: { decision: 'approve', editedArguments: { text } } });
  }

  it('should evaluate the policy for the edited call and record no vote when the policy denies the call', async () => {
    // given
    const approval = await createApproval();

    // when
    const problem = await expectProblem(edit(approval, 'drop it all'));

    // then
    expect(problem).to.include({ status: 403, code: 'policy_denied' });
    expect(problem.detail).to.include('Notes must not contain the word drop');
    const viewer = await countersign.client('viewer', 'vera');
    expect(await viewer.getApproval({ approvalId: approval.approvalId })).to.deep.include({
      status: 'pending',
      votes: [],
      digest: approval.digest,
    });
    expect(agents.executedCalls).to.deep.equal([]);
    const approvalWithAllowedEdit = await edit(approval, 'keep it all');
    const secondApprover = await countersign.client('approver', 'bea');
    expect(
      await secondApprover.decideApproval({
        approvalId: approvalWithAllowedEdit.approvalId,
        body: { decision: 'approve' },
      }),
    ).to.include({
      status: 'approved',
    });
  });

  it('should require the quorum that the policy sets for the edited call', async () => {
    // given
    const approval = await createApproval();
    expect(approval.quorum.required).to.equal(1);
    agents.executedCalls.length = 0;

    // when
    const editedApproval = await edit(approval, 'urgent');

    // then
    expect(editedApproval).to.deep.include({ status: 'pending', quorum: { required: 2, approvals: 0 } });
    expect(agents.executedCalls).to.deep.equal([]);
    const repeatedVoteProblem = await expectProblem(edit(editedApproval, 'urgent'));
    expect(repeatedVoteProblem).to.include({ status: 403, code: 'self_approval' });
  });
});
