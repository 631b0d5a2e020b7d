import type { ProblemError } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { waitForApproval } from './http.spec.support.js';

const RUN_COUNT = 5;

describe('API: two servers on one database', () => {
  let firstServer: TestHost;
  let secondServer: TestHost;

  before(async () => {
    firstServer = await createTestHost({ jobTypes: ['work'] });
    secondServer = await createTestHost({ shareDataWith: firstServer });
    await firstServer.deploy(approvalModel('simple'));
  });

  after(async () => {
    await secondServer.close();
    await firstServer.close();
  });

  it('should accept one of four concurrent votes on two servers and name its voter in the refusals of the others', async () => {
    const viewers = [await firstServer.client('viewer'), await secondServer.client('viewer')] as const;
    const voters = await Promise.all([
      firstServer.client('approver', 'ada'),
      secondServer.client('approver', 'bea'),
      firstServer.client('approver', 'cem'),
      secondServer.client('approver', 'dan'),
    ]);
    for (let count = 0; count < RUN_COUNT; count += 1) {
      // given: a run that the first server starts and processes, and whose approval is read from the second server
      const { runId } = await viewers[0].startRun({ body: { workflowId: 'simple' } });
      const [, approval] = await Promise.all([firstServer.jobs.complete('work'), waitForApproval(viewers[1], runId)]);

      // when
      const { approvalId, digest } = approval;
      const results = await Promise.allSettled(
        voters.map((client) =>
          client.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest } }),
        ),
      );

      // then
      const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.resolvedBy] : []));
      expect(winners).to.have.length(1);
      for (const result of results) {
        if (result.status === 'fulfilled') continue;
        expect((result.reason as ProblemError).problem).to.include({
          status: 409,
          code: 'approval_already_resolved',
          resolvedBy: winners[0],
        });
      }
      const runs = await Promise.all(viewers.map((client) => client.getRun({ runId })));
      expect(runs.map((run) => run.outcome)).to.deep.equal(['completed', 'completed']);
      expect(runs[0]).to.deep.equal(runs[1]);
    }
  });
});
