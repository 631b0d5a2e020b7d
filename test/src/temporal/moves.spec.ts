import type { Client } from '@countersign/contract';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { PUBLISH } from '../engines/engine-models.spec.support.js';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { createTemporalHost, useTemporalServer } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

describeOnTemporal('moving a workflow', function () {
  this.timeout(120_000);
  const context = useTemporalServer();
  let embedded: TestHost;
  let temporal: TestHost;

  before(async () => {
    embedded = await createTestHost({ jobTypes: ['work'], engine: { plugin: engineEmbeddedPlugin } });
    temporal = await createTemporalHost(context.server, { shareDataWith: embedded });
    await embedded.deploy(PUBLISH);
  });

  after(async () => {
    await temporal?.close();
    await embedded?.close();
  });

  it('should execute new runs on the cluster, and end existing runs on the embedded engine', async () => {
    // given
    const [admin, viewer, approver] = await Promise.all([
      embedded.client('admin'),
      embedded.client('viewer', 'vera'),
      embedded.client('approver', 'bob'),
    ]);
    const start = (client: Client) => client.startRun({ body: { workflowId: 'publish', inputs: {} } });
    const existing = await start(viewer);

    // when
    await admin.moveWorkflow({ workflowId: 'publish', body: { engine: 'temporal' } });
    const moved = await start(viewer);

    // then
    for (const [{ runId }, host] of [
      [existing, embedded],
      [moved, temporal],
    ] as const) {
      await host.jobs.complete('work', {});
      const { approvalId } = await waitForApproval(viewer, runId);
      await approver.decideApproval({ approvalId, body: { decision: 'approve' } });
      await host.jobs.complete('work', {});
      expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
    }
    const { items } = await viewer.listRuns({});
    expect(items.map(({ engine }) => engine)).to.deep.equal(['temporal', 'embedded']);
  });
});
