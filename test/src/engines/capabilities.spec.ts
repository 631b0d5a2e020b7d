import type { Client } from '@countersign/contract';
import { ENGINE_CAPABILITY_NAMES } from '@countersign/model';
import { approvalModel, CAPABILITY_REQUESTS, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem, waitForApproval } from '../http/http.spec.support.js';
import { createLimitedEngine } from './limited-engine.spec.support.js';

describe('an engine that cannot do everything', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({
      jobTypes: ['work'],
      engine: { plugin: createLimitedEngine(ENGINE_CAPABILITY_NAMES) },
    });
    admin = await countersign.client('admin');
    await countersign.deploy(approvalModel('simple'));
  });

  after(() => countersign.close());

  it('should be described to every user', async () => {
    expect((await (await countersign.client('viewer')).getMe()).engine).to.deep.equal({
      name: 'limited',
      unsupported: ENGINE_CAPABILITY_NAMES,
    });
  });

  for (const capability of ENGINE_CAPABILITY_NAMES) {
    it(`should refuse requests for ${capability} with a reason`, async () => {
      const problem = await expectProblem(CAPABILITY_REQUESTS[capability](admin));

      expect(problem).to.include({ status: 501, code: 'not_supported_by_engine', retryable: false });
      expect(problem.detail).to.match(/^The engine of this server \("limited"\) cannot /);
    });
  }

  it('should still run a workflow with an approval, plan its cancellation, and show its current state', async () => {
    // given
    const [viewer, approver] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('approver'),
    ]);
    const { runId } = await viewer.startRun({ body: { workflowId: 'simple', inputs: { amount: 3 } } });
    await countersign.jobs.complete('work', {});
    const { approvalId } = await waitForApproval(viewer, runId);

    // when
    const plan = await admin.cancelRun({ runId, body: { reason: 'no longer needed' }, dryRun: true });
    const state = await viewer.getRunState({ runId });
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });

    // then
    expect(plan.void).to.have.length(1);
    expect(state).to.include({ status: 'blocked' });
    expect(state.variables).to.include({ amount: 3 });
    expect(await viewer.getRun({ runId })).to.include({ outcome: 'completed' });
  });
});
