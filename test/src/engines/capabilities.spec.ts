import { randomUUID } from 'node:crypto';
import type { Client } from '@countersign/contract';
import { ENGINE_CAPABILITY_NAMES, type EngineCapability } from '@countersign/model';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem, waitForApproval } from '../http/http.spec.support.js';
import { createLimitedEngine } from './limited-engine.spec.support.js';

describe('an engine that cannot do everything', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'], engine: createLimitedEngine(ENGINE_CAPABILITY_NAMES) });
    admin = await countersign.client('admin');
    await countersign.deploy(approvalModel('simple'));
  });

  after(() => countersign.close());

  /** A request that needs the capability. The runs, approvals and events that they name need not exist. */
  const requests: Readonly<Record<EngineCapability, (client: Client) => Promise<unknown>>> = {
    approval_delegation: (client) => client.delegateApproval({ approvalId: randomUUID(), body: { to: 'dora' } }),
    approval_reassignment: (client) =>
      client.reassignApproval({ approvalId: randomUUID(), body: { candidateUsers: ['dora'] } }),
    call_edits: (client) =>
      client.decideApproval({ approvalId: randomUUID(), body: { decision: 'approve', editedArguments: {} } }),
    conditional_starts: (client) => client.evaluateConditions({ body: { variables: {} } }),
    dmn_decisions: (client) => client.deployDecisions({ body: '<definitions />' }),
    event_redelivery: (client) => client.redeliverInboundEvent({ eventId: randomUUID() }),
    migration: (client) => client.migrateRun({ runId: randomUUID(), body: { version: 2 } }),
    personal_data_erasure: (client) =>
      client.erasePersonalData({ runId: randomUUID(), body: { reason: 'requested' }, dryRun: true }),
    time_travel: (client) => client.getRunState({ runId: randomUUID(), at: 1 }),
  };

  it('should be described to every user', async () => {
    expect((await (await countersign.client('viewer')).getMe()).engine).to.deep.equal({
      name: 'limited',
      unsupported: ENGINE_CAPABILITY_NAMES,
    });
  });

  for (const capability of ENGINE_CAPABILITY_NAMES) {
    it(`should refuse requests for ${capability} with a reason`, async () => {
      const problem = await expectProblem(requests[capability](admin));

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
