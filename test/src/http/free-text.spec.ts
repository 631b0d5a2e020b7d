import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { waitForApproval } from './http.spec.support.js';

/** Separators, line breaks, quotes and escapes, which the storage may use internally. */
const TEXT_WITH_CONTROL_CHARACTERS = 'a\u001eb\u001f\u001f\r\n\t"c" \'d\' \\e\\ \\u001f \u0001\u007f\u2028';

describe('API: free text', () => {
  let countersign: TestHost;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('simple'));
  });

  after(() => countersign.close());

  it('should return text exactly as callers and plugins wrote it', async () => {
    // given
    const [viewer, approver] = [await countersign.client('viewer'), await countersign.client('approver')];
    const { runId } = await viewer.startRun({
      body: {
        workflowId: 'simple',
        businessKey: TEXT_WITH_CONTROL_CHARACTERS,
        inputs: { [TEXT_WITH_CONTROL_CHARACTERS]: TEXT_WITH_CONTROL_CHARACTERS, empty: '' },
      },
    });
    await countersign.jobs.complete('work', { result: TEXT_WITH_CONTROL_CHARACTERS });
    const { approvalId } = await waitForApproval(viewer, runId);

    // when
    await approver.decideApproval({ approvalId, body: { decision: 'approve', comment: TEXT_WITH_CONTROL_CHARACTERS } });
    for await (const event of viewer.streamRunEvents({ runId, after: 0 })) if (event.type === 'run.completed') break;

    // then
    expect(
      (await viewer.listRuns({ businessKey: TEXT_WITH_CONTROL_CHARACTERS })).items.map((run) => [
        run.runId,
        run.businessKey,
      ]),
    ).to.deep.equal([[runId, TEXT_WITH_CONTROL_CHARACTERS]]);
    const approval = await viewer.getApproval({ approvalId });
    expect(approval.votes.map(({ comment }) => comment)).to.deep.equal([TEXT_WITH_CONTROL_CHARACTERS]);
    expect(approval.subject.inputs).to.deep.include({
      [TEXT_WITH_CONTROL_CHARACTERS]: TEXT_WITH_CONTROL_CHARACTERS,
      empty: '',
      result: TEXT_WITH_CONTROL_CHARACTERS,
    });
    const { items } = await viewer.listRunEvents({ runId, limit: 100 });
    expect(JSON.stringify(items)).to.contain(JSON.stringify(TEXT_WITH_CONTROL_CHARACTERS));
  });
});
