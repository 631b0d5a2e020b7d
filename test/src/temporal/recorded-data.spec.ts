import { StoragePort } from '@countersign/core';
import { expect } from 'chai';
import { PUBLISH } from '../engines/engine-models.spec.support.js';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { useTemporalHost } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

/** A value that Countersign must be able to erase. */
const CANARY = 'canary-7291';

describeOnTemporal('recorded data', function () {
  this.timeout(60_000);
  const context = useTemporalHost(PUBLISH);

  it('should contain no variables, comments or errors', async () => {
    // given an error that a database might report
    const { server, host, viewer } = context;
    const storage = host.host.get(StoragePort);
    const takeJob = storage.takeJob.bind(storage);
    let failures = 0;
    storage.takeJob = (...request) => {
      failures += 1;
      return failures === 1 ? Promise.reject(new Error(`invalid value: ${CANARY}`)) : takeJob(...request);
    };
    const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: { customer: CANARY } } });
    await host.jobs.complete('work', { draft: CANARY });
    const { approvalId } = await waitForApproval(viewer, runId);

    // when
    const approver = await host.client('approver', 'ada');
    await approver.decideApproval({ approvalId, body: { decision: 'approve', comment: CANARY } });
    (await host.jobs.take('work')).fail(new Error(CANARY));
    await (await host.client('operator')).cancelRun({ runId, body: { reason: CANARY } });
    await waitForEnd(viewer, runId);

    // then
    expect(failures).to.be.at.least(2);
    const history = await server.readHistory(runId);
    expect(history).to.contain('"jobType":"work"').and.to.contain(runId);
    expect(history).not.to.contain(CANARY);
  });

  it('should stay small if variables are larger than Temporal allows', async () => {
    // given
    const { server, host, viewer } = context;
    const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: {} } });

    // when
    await host.jobs.complete('work', { draft: 'x'.repeat(3_000_000) });

    // then
    const { approvalId } = await waitForApproval(viewer, runId);
    const approver = await host.client('approver', 'ada');
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });
    await host.jobs.complete('work', {});
    expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
    expect(await server.readHistory(runId)).to.have.length.below(50_000);
  });
});
