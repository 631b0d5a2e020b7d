import type { Client } from '@countersign/contract';
import { BpmnError } from '@countersign/core/plugin';
import {
  approvalModel,
  createTestHost,
  processModel,
  serviceTask,
  type TestHost,
  waitUntil,
} from '@countersign/testing';
import { expect } from 'chai';
import { waitForApproval } from './http.spec.support.js';

const FETCHING_MODEL = processModel(
  'fetching',
  `<bpmn:startEvent id="start" />${serviceTask('fetch', 'fetch', 1)}<bpmn:endEvent id="end" />`,
  'start > fetch',
  'fetch > end',
);
const CALLING_MODEL = processModel(
  'calling',
  '<bpmn:startEvent id="start" /><bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="fetching" /></bpmn:extensionElements></bpmn:callActivity><bpmn:endEvent id="end" />',
  'start > call',
  'call > end',
);

describe('API: runs that need attention', () => {
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;

  before(async () => {
    countersign = await createTestHost({
      jobTypes: ['fetch', 'work'],
      configuration: { Runs: { StuckAfter: 'PT0.001S' } },
    });
    let approver: Client;
    [viewer, operator, approver] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
      countersign.client('approver', 'ada'),
    ]);
    for (const model of [FETCHING_MODEL, CALLING_MODEL, approvalModel('matter')]) await countersign.deploy(model);

    for (const workflowId of ['fetching', 'calling']) {
      await start(workflowId, 'incident');
      (await countersign.jobs.take('fetch')).fail(new Error('unreachable'));
    }
    await start('calling', 'error of the child run');
    (await countersign.jobs.take('fetch')).fail(new BpmnError('sold_out', 'The item is sold out.'));
    await start('fetching', 'completed');
    await countersign.jobs.complete('fetch');
    for (const key of ['rejected', 'cancelled', 'waiting']) {
      const runId = await start('matter', key);
      await countersign.jobs.complete('work');
      const { approvalId } = await waitForApproval(viewer, runId);
      if (key === 'rejected')
        await approver.decideApproval({ approvalId, body: { decision: 'reject', comment: 'no' } });
      if (key === 'cancelled') await operator.cancelRun({ runId, body: { reason: 'no longer needed' } });
    }
    // Nobody takes its job.
    await start('fetching', 'stuck');
    await waitUntil('all runs have the expected state', async () => {
      const counts = await Promise.all(
        ([{ status: 'failed' }, { outcome: 'rejected' }, { outcome: 'cancelled' }, { stuck: true }] as const).map(
          async (filter) => (await viewer.countRuns(filter)).count,
        ),
      );
      return counts.join() === '7,1,1,1' && (await viewer.countRuns({ outcome: 'completed' })).count === 1;
    });
  });

  after(() => countersign.close());

  async function start(workflowId: string, businessKey: string): Promise<string> {
    return (await viewer.startRun({ body: { workflowId, businessKey } })).runId;
  }

  it('should list and count stuck runs and those that can be recovered, but no ended ones', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await viewer.listRuns({
        needsAttention: true,
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.items.map(({ workflowId, businessKey }) => `${workflowId}: ${businessKey}`));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);

    expect(found).to.deep.equal([
      'fetching: stuck',
      'calling: error of the child run',
      'fetching: incident',
      'calling: incident',
      'fetching: incident',
    ]);
    expect(await viewer.countRuns({ needsAttention: true })).to.deep.equal({ count: 5, exact: true });
    expect(await viewer.countRuns({ needsAttention: false })).to.deep.equal({ count: 10, exact: true });
  });

  it('should combine with the other filters', async () => {
    for (const [filter, count] of [
      [{ stuck: true }, 1],
      [{ status: 'failed' }, 4],
      [{ outcome: 'failed' }, 0],
      [{ outcome: 'rejected' }, 0],
      [{ root: true }, 4],
      [{ workflowId: 'calling', businessKey: 'incident' }, 1],
    ] as const)
      expect(await viewer.countRuns({ ...filter, needsAttention: true }), JSON.stringify(filter)).to.deep.equal({
        count,
        exact: true,
      });
  });

  it('should select the runs of a bulk operation and of a policy trial', async () => {
    const admin = await countersign.client('admin');
    const { files } = await admin.getPolicy();

    const plan = await operator.bulkRecoverRuns({ dryRun: true, body: { filter: { needsAttention: true } } });
    const trial = await admin.tryPolicy({ body: { policies: files, runs: { needsAttention: true } } });

    // Only runs with an incident of their own can be recovered.
    expect(plan).to.include({ matched: 5, affected: 3 });
    expect(trial.runs).to.equal(5);
  });
});
