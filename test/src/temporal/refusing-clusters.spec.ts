import type { Client } from '@countersign/contract';
import { EnginePort } from '@countersign/core';
import { type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { PUBLISH, RARE_WORK } from '../engines/engine-models.spec.support.js';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { RefusingFrontend } from './refusing-frontend.spec.support.js';
import { createTemporalHost } from './temporal-host.spec.support.js';
import { describeOnTemporal, TemporalServer } from './temporal-server.spec.support.js';

const REFUSALS = [
  ...Object.entries({ 'wrong credentials': 16, 'missing permissions': 7 }).map(([title, code]) => ({
    title,
    refusal: { code, message: 'Request unauthorized.' },
    detail: 'refuses the credentials of this server. Check Engine:Temporal:ApiKey and Engine:Temporal:Tls.',
  })),
  {
    title: 'too many requests',
    refusal: { code: 8, message: 'namespace rate limit exceeded' },
    detail: 'limits the requests of this server. They are repeated.',
  },
  {
    title: 'an old version',
    refusal: { code: 12, message: 'unknown method' },
    detail: 'lacks a function that this server needs. Use version 1.28 of Temporal or newer.',
  },
];

describeOnTemporal('refusals', function () {
  this.timeout(60_000);
  let server: TemporalServer;
  let frontend: RefusingFrontend;
  let host: TestHost;
  let viewer: Client;

  before(async () => {
    server = await TemporalServer.start();
    frontend = await RefusingFrontend.start(server.address);
    host = await createTemporalHost(server, {
      jobTypes: ['work', 'rare'],
      configuration: server.configure({ Address: frontend.address }),
    });
    for (const model of [PUBLISH, RARE_WORK]) await host.deploy(model);
    viewer = await host.client('viewer', 'vera');
  });

  after(async () => {
    await host.close();
    frontend.close();
    await server.close();
  });

  afterEach(() => {
    frontend.refuse(null);
  });

  for (const { title, refusal, detail } of REFUSALS)
    it(`should be reported and delay only jobs and timers: ${title}`, async () => {
      // given
      const [operator, approver] = await Promise.all([host.client('operator'), host.client('approver', 'ada')]);
      const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: {} } });
      await host.jobs.complete('work', {});
      const { approvalId } = await waitForApproval(viewer, runId);

      // when
      frontend.refuse(refusal);
      await approver.decideApproval({ approvalId, body: { decision: 'approve' } });

      // then
      await waitUntil('the readiness check names the reason', async () => {
        const { status, checks } = await operator.getReady();
        return status === 'warn' && checks.some((check) => check.detail?.includes(detail));
      });
      frontend.refuse(null);
      await host.jobs.complete('work', {});
      expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
      await waitUntil('the engine has recovered', async () => (await operator.getEngine()).status === 'ok');
    });

  it('should not affect running jobs if other workers of the server cannot be started again', async () => {
    // given
    const operator = await host.client('operator');
    const { runId } = await viewer.startRun({ body: { workflowId: 'publish', inputs: {} } });
    const held = await host.jobs.take('work');

    // when the workers without jobs start again, as after an outage, but the next one has begun
    frontend.refuse({ code: 14, message: 'unreachable', method: 'DescribeNamespace' });
    const { workers } = host.host.get(EnginePort) as unknown as { workers: { restartIdle(): void } };
    workers.restartIdle();
    await waitUntil('the engine reports the outage', async () => (await operator.getEngine()).status === 'fail');
    frontend.refuse(null);

    // then
    const rare = await viewer.startRun({ body: { workflowId: 'rare-work', inputs: {} } });
    await host.jobs.complete('rare', {});
    expect(await waitForEnd(viewer, rare.runId)).to.include({ outcome: 'completed' });
    expect(held.job.signal.aborted).to.equal(false);
    held.complete({});
    await waitForApproval(viewer, runId);
  });
});
