import { buildVoteArguments, type Approval } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { waitForApproval } from './http.spec.support.js';

const FLOWS = ['start > work', 'work > ok', 'ok > end'] as const;
const model = (id: string, properties: string): string =>
  processModel(
    id,
    `<bpmn:startEvent id="start" />${serviceTask('work', 'work')}<bpmn:userTask id="ok"><bpmn:extensionElements><zeebe:properties>${properties}</zeebe:properties></bpmn:extensionElements></bpmn:userTask><bpmn:endEvent id="end" />`,
    ...FLOWS,
  );

describe('API: decisions that a workflow leaves no way for', () => {
  let countersign: TestHost;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(model('final', ''));
    await countersign.deploy(model('rework', '<zeebe:property name="approval.reworkStep" value="work" />'));
  });

  after(() => countersign.close());

  async function createApproval(workflowId: string): Promise<Approval> {
    const viewer = await countersign.client('viewer', 'vera');
    const { runId } = await viewer.startRun({ body: { workflowId } });
    await countersign.jobs.complete('work');
    return waitForApproval(viewer, runId);
  }

  it('should be stated with the error code that a vote gets', async () => {
    // given
    const ada = await countersign.client('approver', 'ada');
    const { approvalId } = await createApproval('final');

    // when
    const approval = await ada.getApproval({ approvalId });

    // then
    expect(approval.unavailableDecisions).to.deep.equal([
      { decision: 'request_changes', reason: 'rework_not_possible' },
    ]);
    expect((await ada.listApprovals({ approvalIds: approvalId })).items[0]).to.deep.equal(approval);
    const error = await ada
      .decideApproval(buildVoteArguments(approval, { decision: 'request_changes', comment: 'Shorter.' }))
      .catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'rework_not_possible' });
  });

  it('should not include a request for changes if the workflow has a rework step', async () => {
    const ada = await countersign.client('approver', 'ada');
    const { approvalId } = await createApproval('rework');
    expect((await ada.getApproval({ approvalId })).unavailableDecisions).to.deep.equal([]);
  });

  it('should not be stated for a resolved approval', async () => {
    const ada = await countersign.client('approver', 'ada');
    const approval = await createApproval('final');
    await ada.decideApproval(buildVoteArguments(approval, { decision: 'approve' }));
    expect(await ada.getApproval({ approvalId: approval.approvalId })).not.to.have.property('unavailableDecisions');
  });
});
