import type { Approval, Client } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { agentModel, ScriptedAgents } from './scripted-agents.spec.support.js';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const REQUIRED_EXTENSIONS =
  '<zeebe:properties><zeebe:property name="approval.requireDigest" value="true" /></zeebe:properties>';

describe('API: votes that require a digest', () => {
  const agents = new ScriptedAgents({
    writer: (turn) =>
      turn === 1 ? { taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'hello' } }] } : { output: {} },
  });
  let countersign: TestHost;
  let vera: Client;
  let ada: Client;

  async function startHost(configuration = {}): Promise<void> {
    countersign = await createTestHost({ jobTypes: ['work'], plugins: [agents.plugin()], configuration });
    [vera, ada] = await Promise.all([countersign.client('viewer', 'vera'), countersign.client('approver', 'ada')]);
    await countersign.deploy(approvalModel('plain'));
    await countersign.deploy(
      approvalModel('strict', '', `<bpmn:extensionElements>${REQUIRED_EXTENSIONS}</bpmn:extensionElements>`),
    );
    await countersign.deploy(agentModel('calls', 'writer', '', REQUIRED_EXTENSIONS));
  }

  afterEach(() => countersign.close());

  async function createApproval(workflowId: string): Promise<Approval> {
    const { runId } = await vera.startRun({ body: { workflowId } });
    if (workflowId !== 'calls') await countersign.jobs.complete('work');
    return waitForApproval(vera, runId);
  }

  async function expectDigestRequired(approval: Approval): Promise<void> {
    const { approvalId, digest } = approval;
    for (const decision of ['approve', 'reject'] as const) {
      const problem = await expectProblem(ada.decideApproval({ approvalId, body: { decision } }));
      expect(problem).to.include({ status: 422, code: 'digest_required' });
      expect(problem.errors.map(({ pointer }) => pointer)).to.deep.equal(['/expectedDigest']);
    }
    expect((await ada.getApproval({ approvalId })).votes).to.deep.equal([]);
    expect(await ada.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest } })).to.include({
      status: 'approved',
    });
  }

  it('should refuse a vote without a digest if the workflow requires one, for user tasks and tool calls', async () => {
    await startHost();
    await expectDigestRequired(await createApproval('strict'));
    await expectDigestRequired(await createApproval('calls'));
    expect(
      await ada.decideApproval({
        approvalId: (await createApproval('plain')).approvalId,
        body: { decision: 'approve' },
      }),
    ).to.include({ status: 'approved' });
  });

  it('should refuse a vote without a digest if the configuration requires one, and refuse to change that setting through the API', async () => {
    await startHost({ Approvals: { RequireDigest: true } });
    await expectDigestRequired(await createApproval('plain'));
    const admin = await countersign.client('admin');
    expect(
      await expectProblem(admin.updateSettings({ body: { values: { 'Approvals:RequireDigest': false } } })),
    ).to.include({ status: 422 });
  });
});
