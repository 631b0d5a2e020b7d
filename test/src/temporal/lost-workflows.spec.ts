import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { createTimerModel, PUBLISH, TWO_JOBS } from '../engines/engine-models.spec.support.js';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { useTemporalHost, waitUntilAnnounced } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

describeOnTemporal('lost workflows', function () {
  this.timeout(120_000);
  const context = useTemporalHost(PUBLISH, TWO_JOBS, createTimerModel('PT6S'));

  it('should continue all runs after the cluster has lost its data', async () => {
    // given a run that waits for an approval, one that waits for a timer, and one whose job ends without the cluster
    const { server, host, viewer } = context;
    const approved = await viewer.startRun({ body: { workflowId: 'publish', inputs: {} } });
    await host.jobs.complete('work', {});
    const { approvalId } = await waitForApproval(viewer, approved.runId);
    const waiting = await viewer.startRun({ body: { workflowId: 'waiting' } });
    const working = await viewer.startRun({ body: { workflowId: 'two-jobs', inputs: {} } });
    const held = await host.jobs.take('work');
    await waitUntilAnnounced(host);
    await server.kill();
    held.complete({});
    await waitUntil('the second job is open', async () => {
      const { currentStep } = await viewer.getRun({ runId: working.runId });
      return currentStep === 'two';
    });

    // when
    await server.loseData();
    const approver = await host.client('approver', 'ada');
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });

    // then
    for (let count = 0; count < 3; count += 1) await host.jobs.complete('work', {});
    for (const { runId } of [approved, working, waiting]) {
      const { outcome, steps } = await waitForEnd(viewer, runId);
      expect(outcome).to.equal('completed');
      expect(steps.filter(({ attempt }) => attempt > 1)).to.deep.equal([]);
    }
  });
});
