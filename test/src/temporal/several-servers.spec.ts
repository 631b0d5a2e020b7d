import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { createTimerModel, RARE_WORK } from '../engines/engine-models.spec.support.js';
import { waitForEnd } from '../http/http.spec.support.js';
import { RefusingFrontend } from './refusing-frontend.spec.support.js';
import { createTemporalHost, useTemporalHost } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

describeOnTemporal('several servers', function () {
  this.timeout(120_000);
  const context = useTemporalHost(RARE_WORK, createTimerModel('PT0.1S'));

  it('should give the job of a server that stops to another server', async () => {
    // given
    const { server, host, viewer } = context;
    const first = await createTemporalHost(server, { shareDataWith: host, jobTypes: ['rare'] });
    const { runId } = await viewer.startRun({ body: { workflowId: 'rare-work', inputs: {} } });
    const held = await first.jobs.take('rare');
    const second = await createTemporalHost(server, { shareDataWith: host, jobTypes: ['rare'] });
    try {
      // when
      await first.close();

      // then
      expect(held.job.signal.aborted).to.equal(true);
      await second.jobs.complete('rare', {});
      const { steps } = await waitForEnd(viewer, runId);
      expect(steps.find(({ elementId }) => elementId === 'work')).to.include({ status: 'completed', attempt: 1 });
    } finally {
      await second.close();
    }
  });

  it('should stop a server that has just started', async () => {
    const { server, host } = context;
    for (let round = 0; round < 5; round += 1)
      await (await createTemporalHost(server, { shareDataWith: host, jobTypes: [`type-${round}`] })).close();
  });

  it('should run the jobs and timers of two installations that share a prefix by mistake', async () => {
    // given
    const { server, host, viewer } = context;
    const other = await createTemporalHost(server);
    try {
      await other.deploy(createTimerModel('PT0.1S'));
      const otherViewer = await other.client('viewer', 'vera');

      // when
      const runs = await Promise.all(
        [viewer, otherViewer].map((client) => client.startRun({ body: { workflowId: 'waiting' } })),
      );

      // then
      await Promise.all([host.jobs.complete('work', {}), other.jobs.complete('work', {})]);
      await waitForEnd(viewer, runs[0]?.runId ?? '', 60);
      await waitForEnd(otherViewer, runs[1]?.runId ?? '', 60);
    } finally {
      await other.close();
    }
  });

  it('should use only the last result of a job that two servers execute', async () => {
    // given
    const { server, host, viewer } = context;
    const frontend = await RefusingFrontend.start(server.address);
    const configuration = server.configure({ Address: frontend.address });
    const first = await createTemporalHost(server, { shareDataWith: host, jobTypes: ['rare'], configuration });
    const { runId } = await viewer.startRun({ body: { workflowId: 'rare-work', inputs: {} } });
    const heldByFirst = await first.jobs.take('rare');
    const second = await createTemporalHost(server, { shareDataWith: host, jobTypes: ['rare'] });
    try {
      // when the first server is cut off from the cluster, but not from the database
      frontend.refuse({ code: 14, message: 'unreachable' });
      const heldBySecond = await second.jobs.take('rare');
      heldByFirst.complete({});
      const operator = await first.client('operator');
      await waitUntil('the result of the first server is refused', async () =>
        (await operator.getRuntime()).workers.every(({ active }) => active === 0),
      );

      // then
      expect((await viewer.getRun({ runId })).outcome).to.equal(null);
      heldBySecond.complete({});
      const { steps } = await waitForEnd(viewer, runId);
      expect(steps.find(({ elementId }) => elementId === 'work')).to.include({ status: 'completed', attempt: 1 });
    } finally {
      frontend.refuse(null);
      await Promise.all([first.close(), second.close()]);
      frontend.close();
    }
  });
});
