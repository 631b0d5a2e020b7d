import type { Approval, Client } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { agentModel, ScriptedAgents } from './agents.spec.support.js';
import { problemOf, untilApproval } from './http.spec.support.js';

const REQUIRED = '<zeebe:properties><zeebe:property name="approval.requireDigest" value="true" /></zeebe:properties>';

describe('API: votes that require a digest', () => {
  const agents = new ScriptedAgents({
    writer: (turn) =>
      turn === 1 ? { taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'hello' } }] } : { output: {} },
  });
  let test: TestHost;
  let vera: Client;
  let ada: Client;

  async function boot(configuration = {}): Promise<void> {
    test = await createTestHost({ jobTypes: ['work'], plugins: [agents.plugin()], configuration });
    [vera, ada] = await Promise.all([test.client('viewer', 'vera'), test.client('approver', 'ada')]);
    await test.deploy(approvalModel('plain'));
    await test.deploy(approvalModel('strict', '', `<bpmn:extensionElements>${REQUIRED}</bpmn:extensionElements>`));
    await test.deploy(agentModel('calls', 'writer', '', REQUIRED));
  }

  afterEach(() => test.close());

  async function asked(workflowId: string): Promise<Approval> {
    const { runId } = await vera.startRun({ body: { workflowId } });
    if (workflowId !== 'calls') await test.jobs.complete('work');
    return untilApproval(vera, runId);
  }

  async function expectRequired(approval: Approval): Promise<void> {
    const { approvalId, digest } = approval;
    for (const decision of ['approve', 'reject'] as const) {
      const problem = await problemOf(ada.decideApproval({ approvalId, body: { decision } }));
      expect(problem).to.include({ status: 422, code: 'digest_required' });
      expect(problem.errors.map(({ pointer }) => pointer)).to.deep.equal(['/expectedDigest']);
    }
    expect((await ada.getApproval({ approvalId })).votes).to.deep.equal([]);
    expect(await ada.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest } })).to.include({
      status: 'approved',
    });
  }

  it('should refuse a vote without a digest if the workflow requires one, for user tasks and tool calls', async () => {
    await boot();
    await expectRequired(await asked('strict'));
    await expectRequired(await asked('calls'));
    expect(
      await ada.decideApproval({ approvalId: (await asked('plain')).approvalId, body: { decision: 'approve' } }),
    ).to.include({ status: 'approved' });
  });

  it('should refuse a vote without a digest if the configuration requires one, and not let the API change that', async () => {
    await boot({ Approvals: { RequireDigest: true } });
    await expectRequired(await asked('plain'));
    const admin = await test.client('admin');
    expect(
      await problemOf(admin.updateSettings({ body: { values: { 'Approvals:RequireDigest': false } } })),
    ).to.include({ status: 422 });
  });
});
