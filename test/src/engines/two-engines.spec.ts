import type { Client } from '@countersign/contract';
import { StoragePort } from '@countersign/core';
import { bpmn, createTestHost, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { findPackErrors } from '../http/check-pack.spec.support.js';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { createTimerModel, PUBLISH } from './engine-models.spec.support.js';
import { externalEnginePlugin } from './external-engine.spec.support.js';

const { END, sequence, START, userTask } = bpmn;

describe('an external and the embedded engine on one database', function () {
  this.timeout(60_000);
  let external: TestHost;
  let embedded: TestHost;
  let admin: Client;
  let viewer: Client;

  before(async () => {
    external = await createTestHost({ jobTypes: ['work'], engine: { plugin: externalEnginePlugin } });
    embedded = await createTestHost({ jobTypes: ['work'], shareDataWith: external });
    [admin, viewer] = await Promise.all([external.client('admin'), external.client('viewer', 'vera')]);
    await external.deploy(PUBLISH);
    await external.deploy(createTimerModel('PT0.3S'));
    await admin.moveWorkflow({ workflowId: 'publish', body: { engine: 'external' } });
    await admin.moveWorkflow({ workflowId: 'waiting', body: { engine: 'external' } });
  });

  after(async () => {
    await embedded?.close();
    await external?.close();
  });

  const countAnnouncements = async (): Promise<number> =>
    (await external.host.get(StoragePort).countAnnouncements('external')).count;

  it('should run a workflow on the external engine while another server decides its approval', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: { amount: 3 } } });
    await external.jobs.complete('work', { draft: 'one' });
    const { approvalId } = await waitForApproval(viewer, runId);

    // when a server with the embedded engine executes the vote
    const approver = await embedded.client('approver', 'ada');
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });

    // then
    await external.jobs.complete('work', {});
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
    await waitUntil('all announcements are accepted', async () => (await countAnnouncements()) === 0);
    expect(findPackErrors(await admin.getEvidencePack({ runId }))).to.deep.equal([]);
  });

  it('should announce only commands that the engine does not wait for', async () => {
    // given
    const storage = external.host.get(StoragePort);
    const commit = storage.commit.bind(storage);
    const announced: Record<string, number | null> = {};
    storage.commit = (writes) => {
      for (const { audit, announceAfterMs } of writes) announced[audit[0]?.action ?? ''] = announceAfterMs;
      return commit(writes);
    };

    // when
    const { runId } = await viewer.startRun({ body: { workflowId: 'waiting' } });
    (await external.jobs.take('work')).fail(new Error('The first attempt fails.'));
    await external.jobs.complete('work', {});
    await waitForEnd(viewer, runId);

    // then
    storage.commit = commit;
    expect(announced).to.deep.equal({
      'run.start': 2_000,
      'timer.fire': null,
      'job.fail': null,
      'job.complete': null,
    });
  });

  it('should start timers and retried jobs of a run only on the external engine', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'waiting' } });

    // when
    const first = await external.jobs.take('work');
    first.fail(new Error('The first attempt fails.'));
    await external.jobs.complete('work', {});

    // then
    const { steps } = await waitForEnd(viewer, runId);
    expect(steps.find(({ elementId }) => elementId === 'work')).to.include({ status: 'completed', attempt: 2 });
    expect(await external.host.get(StoragePort).nextTimerAt()).to.equal(null);
  });

  it('should leave the runs of the embedded engine to the servers that have it', async () => {
    // given
    await external.deploy(
      sequence('embedded', START, serviceTask('draft', 'work'), userTask('approve'), serviceTask('send', 'work'), END),
    );
    const { runId } = await viewer.startRun({ body: { workflowId: 'embedded', inputs: {} } });
    await embedded.jobs.complete('work', {});
    const { approvalId } = await waitForApproval(viewer, runId);

    // when a server with the external engine executes the vote
    const approver = await external.client('approver', 'ada');
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });

    // then
    await embedded.jobs.complete('work', {});
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
    expect(await countAnnouncements()).to.equal(0);
  });

  it('should cancel a run of the external engine from a server with the embedded engine', async () => {
    // given
    const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: {} } });
    await external.jobs.take('work');

    // when
    const operator = await embedded.client('operator');
    await operator.cancelRun({ runId, body: { reason: 'no longer needed' } });

    // then
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'cancelled' });
    await waitUntil('all announcements are accepted', async () => (await countAnnouncements()) === 0);
  });
});
