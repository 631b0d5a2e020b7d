import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { TWO_JOBS } from '../engines/engine-models.spec.support.js';
import { findFreePort } from '../free-port.spec.support.js';
import { waitForEnd } from '../http/http.spec.support.js';
import { createTemporalHost, useTemporalServer } from './temporal-host.spec.support.js';
import { loadTemporalSdk, WORKFLOW_BUNDLE } from './temporal-sdk.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

/** Returns the bundle of a version whose workflow begins with a timer. */
async function createOtherBundle(): Promise<{ readonly code: string }> {
  const code = await readFile(WORKFLOW_BUNDLE.codePath, 'utf8');
  const begin = 'async function countersignRun(input) {';
  expect(code).to.contain(begin);
  return { code: code.replace(begin, `${begin} await new Promise((resolve) => setTimeout(resolve, 3_600_000));`) };
}

describeOnTemporal('other versions of the workflows', function () {
  this.timeout(60_000);
  const context = useTemporalServer();

  /** Executes the other version until it has begun the workflow of a run. */
  async function beginWithOtherVersion(runId: string): Promise<void> {
    const { server } = context;
    const { NativeConnection, Worker } = loadTemporalSdk();
    const connection = await NativeConnection.connect({ address: server.address });
    try {
      const { namespace } = server;
      const workflowBundle = await createOtherBundle();
      const options = { taskQueue: 'countersign', maxCachedWorkflows: 0 };
      const worker = await Worker.create({ connection, namespace, workflowBundle, ...options });
      const running = worker.run();
      await server.startWorkflow(runId);
      await waitUntil('the workflow waits', async () =>
        (await server.readHistory(runId)).includes('EVENT_TYPE_TIMER_STARTED'),
      );
      worker.shutdown();
      await running;
    } finally {
      await connection.close();
    }
  }

  it('should not prevent a run from continuing', async () => {
    // given a server that cannot reach the cluster
    const { server } = context;
    const configuration = server.configure({ Address: `127.0.0.1:${await findFreePort()}` });
    const unconnected = await createTemporalHost(server, { configuration });
    try {
      await unconnected.deploy(TWO_JOBS);
      const viewer = await unconnected.client('viewer', 'vera');
      const { runId } = await viewer.startRun({ body: { workflowId: 'two-jobs', inputs: {} } });
      await beginWithOtherVersion(runId);

      // when
      const host = await createTemporalHost(server, { shareDataWith: unconnected });

      // then
      try {
        for (const elementId of ['one', 'two']) expect(await host.jobs.complete('work', {})).to.include({ elementId });
        expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
      } finally {
        await host.close();
      }
    } finally {
      await unconnected.close();
    }
  });
});
