import { expect } from 'chai';
import { findPackErrors } from '../http/check-pack.spec.support.js';
import { createParallelModel, createTimerModel, PUBLISH } from '../engines/engine-models.spec.support.js';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { useTemporalHost, waitUntilAnnounced } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

/** The limit in the plugin, which is not part of every build. */
const MAX_ANNOUNCED_JOBS = 100;

describeOnTemporal('runs', function () {
  this.timeout(60_000);
  const context = useTemporalHost(PUBLISH, createTimerModel('PT0.3S'));

  it('should execute jobs and an approval, with valid evidence', async () => {
    // given
    const { host, viewer } = context;
    const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: { amount: 3 } } });
    await host.jobs.complete('work', { draft: 'one' });
    const { approvalId } = await waitForApproval(viewer, runId);

    // when
    const approver = await host.client('approver', 'ada');
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });

    // then
    await host.jobs.complete('work', {});
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
    await waitUntilAnnounced(host);
    const admin = await host.client('admin');
    expect(findPackErrors(await admin.getEvidencePack({ runId }))).to.deep.equal([]);
  });

  it('should fire timers and retry jobs', async () => {
    // given
    const { host, viewer } = context;
    const { runId } = await viewer.startRun({ body: { workflowId: 'waiting' } });

    // when
    const first = await host.jobs.take('work');
    first.fail(new Error('The first attempt fails.'));
    await host.jobs.complete('work', {});

    // then
    const { steps } = await waitForEnd(viewer, runId);
    expect(steps.find(({ elementId }) => elementId === 'work')).to.include({ status: 'completed', attempt: 2 });
  });

  it('should abort the job of a cancelled run', async () => {
    // given
    const { host, viewer } = context;
    const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: {} } });
    const { job } = await host.jobs.take('work');

    // when
    const operator = await host.client('operator');
    await operator.cancelRun({ runId, body: { reason: 'no longer needed' } });

    // then
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'cancelled' });
    expect(job.signal.aborted).to.equal(true);
    await waitUntilAnnounced(host);
  });

  it('should execute more parallel jobs than it announces at a time, each once', async () => {
    // given
    const { host, viewer } = context;
    const count = MAX_ANNOUNCED_JOBS + 20;
    await host.deploy(createParallelModel(count));
    const { runId } = await viewer.startRun({ body: { workflowId: 'parallel', inputs: {} } });

    // when
    const jobs = [];
    for (let index = 0; index < count; index += 1) jobs.push(await host.jobs.complete('work', {}));

    // then
    const { outcome, steps } = await waitForEnd(viewer, runId);
    expect(outcome).to.equal('completed');
    expect(new Set(jobs.map(({ elementId }) => elementId)).size).to.equal(count);
    expect(steps.filter(({ attempt }) => attempt > 1)).to.deep.equal([]);
  });
});
