import type { Client } from '@countersign/contract';
import { currentTime, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { createTimerModel, PUBLISH, TWO_JOBS } from '../engines/engine-models.spec.support.js';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { createTemporalHost, useTemporalHost, waitUntilAnnounced } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

describeOnTemporal('outages of the cluster', function () {
  this.timeout(120_000);
  const context = useTemporalHost(PUBLISH, TWO_JOBS, createTimerModel('PT2S'));
  let operator: Client;
  let approver: Client;

  before(async () => {
    const { host } = context;
    [operator, approver] = await Promise.all([host.client('operator'), host.client('approver', 'ada')]);
  });

  afterEach(() => context.server.ensureRunning());

  const readEngineStatus = async (): Promise<string> => (await operator.getEngine()).status;
  const requestApproval = async (): Promise<{ runId: string; approvalId: string }> => {
    const { host, viewer } = context;
    const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: {} } });
    await host.jobs.complete('work', {});
    const { approvalId } = await waitForApproval(viewer, runId);
    return { runId, approvalId };
  };

  it('should accept starts and votes while the cluster is down, and continue when it returns', async () => {
    // given
    const { server, host, viewer } = context;
    const { runId, approvalId } = await requestApproval();
    await server.kill();

    // when
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });
    const started = await viewer.startRun({ body: { workflowId: 'publish', inputs: {} } });

    // then
    await waitUntil('the engine reports the outage', async () => (await readEngineStatus()) === 'fail');
    await waitUntil('the readiness check names the address', async () => {
      const { status, checks } = await operator.getReady();
      const { detail } = checks.find(({ name }) => name === 'engine') ?? {};
      return (
        status === 'warn' && /^The Temporal cluster at 127\S* does not respond\. Check Engine:T/.test(detail ?? '')
      );
    });
    await server.ensureRunning();
    await host.jobs.complete('work', {});
    await host.jobs.complete('work', {});
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
    await waitForApproval(viewer, started.runId);
    await waitUntilAnnounced(host);
    await waitUntil('the engine reports the recovery', async () => (await readEngineStatus()) === 'ok');
  });

  it('should record the result of a job that ends while the cluster is down', async () => {
    // given
    const { server, host, viewer } = context;
    const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: {} } });
    const held = await host.jobs.take('work');
    await server.kill();

    // when
    held.complete({ draft: 'one' });

    // then
    await waitForApproval(viewer, runId);
    await server.ensureRunning();
    const { approvalId } = await waitForApproval(viewer, runId);
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });
    await host.jobs.complete('work', {});
    const { steps } = await waitForEnd(viewer, runId);
    expect(steps.find(({ elementId }) => elementId === 'draft')).to.include({ attempt: 1, status: 'completed' });
  });

  it('should fire a timer that fell due while the cluster was down', async () => {
    // given
    const { server, host, viewer } = context;
    const { runId } = await viewer.startRun({ body: { workflowId: 'waiting' } });
    const dueAt = currentTime() + 2_000;
    await waitUntilAnnounced(host);

    // when
    await server.kill();
    await waitUntil('the timer is due', async () => currentTime() > dueAt);
    await server.ensureRunning();

    // then
    await host.jobs.complete('work', {});
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
  });

  it('should continue a run whose workflow an operator of the cluster terminated, after the next command', async () => {
    // given
    const { server, host, viewer } = context;
    const { runId, approvalId } = await requestApproval();
    await waitUntilAnnounced(host);

    // when
    await server.terminateWorkflow(runId);
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });

    // then
    await host.jobs.complete('work', {});
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
  });

  it('should continue a run whose workflow was terminated while a job ran', async () => {
    // given
    const { server, host, viewer } = context;
    const { runId } = await viewer.startRun({ body: { workflowId: 'two-jobs', inputs: {} } });
    const held = await host.jobs.take('work');
    await waitUntilAnnounced(host);

    // when the cluster does not accept the end of the job, so that only the list of workflows shows the gap
    await server.terminateWorkflow(runId);
    held.complete({});

    // then
    await host.jobs.complete('work', {});
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
  });

  it('should refuse to start runs while too many commands wait for the cluster', async () => {
    // given
    const { server, host, viewer } = context;
    const { runId, approvalId } = await requestApproval();
    const limited = await createTemporalHost(server, {
      shareDataWith: host,
      jobTypes: [],
      configuration: server.configure({ MaxPendingAnnouncements: 3 }),
    });
    try {
      const [limitedViewer, limitedApprover] = await Promise.all([
        limited.client('viewer', 'vera'),
        limited.client('approver', 'ada'),
      ]);
      await waitUntilAnnounced(host);
      await server.kill();

      // when
      const startedRunIds: string[] = [];
      const refusal = await waitUntil('a start is refused', async () => {
        try {
          startedRunIds.push((await limitedViewer.startRun({ body: { workflowId: 'waiting' } })).runId);
          return undefined;
        } catch (error) {
          return error;
        }
      });

      // then
      expect(refusal).to.include({ status: 503, code: 'service_unavailable', retryable: true });
      expect(startedRunIds).not.to.deep.equal([]);
      await limitedApprover.decideApproval({ approvalId, body: { decision: 'approve' } });
      await server.ensureRunning();
      const runIds = [runId, ...startedRunIds];
      for (const _ of runIds) await host.jobs.complete('work', {});
      for (const startedRunId of runIds)
        expect(await waitForEnd(viewer, startedRunId)).to.include({ outcome: 'completed' });
      await waitUntil('a start is accepted', () =>
        limitedViewer.startRun({ body: { workflowId: 'waiting' } }).catch(() => undefined),
      );
      await host.jobs.complete('work', {});
    } finally {
      await limited.close();
    }
  });

  it('should not delay the stop of a server', async () => {
    const { server, host } = context;
    for (let round = 0; round < 2; round += 1) {
      const other = await createTemporalHost(server, { shareDataWith: host, jobTypes: [`type-${round}`] });
      await server.kill();
      const operator = await other.client('operator');
      await waitUntil('the server reports the outage', async () => (await operator.getEngine()).status === 'fail');

      await other.close();
    }
  }).timeout(25_000);
});
