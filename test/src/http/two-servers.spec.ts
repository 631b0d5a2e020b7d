import type { ProblemError } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { waitForApproval } from './http.spec.support.js';

const RUNS = 5;

describe('API: two servers on one database', () => {
  let one: TestHost;
  let two: TestHost;

  before(async () => {
    one = await createTestHost({ jobTypes: ['work'] });
    two = await createTestHost({ shareDataWith: one });
    await one.deploy(approvalModel('simple'));
  });

  after(async () => {
    await two.close();
    await one.close();
  });

  it('should accept one of four concurrent votes on two servers and name the winner to the other voters', async () => {
    const viewers = [await one.client('viewer'), await two.client('viewer')] as const;
    const deciders = await Promise.all([
      one.client('approver', 'ada'),
      two.client('approver', 'bea'),
      one.client('approver', 'cem'),
      two.client('approver', 'dan'),
    ]);
    for (let count = 0; count < RUNS; count += 1) {
      // given: a run that one server starts and handles, and that the other one displays
      const { runId } = await viewers[0].startRun({ body: { workflowId: 'simple' } });
      const [, approval] = await Promise.all([one.jobs.complete('work'), waitForApproval(viewers[1], runId)]);

      // when
      const { approvalId, digest } = approval;
      const results = await Promise.allSettled(
        deciders.map((client) =>
          client.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest } }),
        ),
      );

      // then
      const winner = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.resolvedBy] : []));
      expect(winner).to.have.length(1);
      for (const result of results) {
        if (result.status === 'fulfilled') continue;
        expect((result.reason as ProblemError).problem).to.include({
          status: 409,
          code: 'approval_already_resolved',
          resolvedBy: winner[0],
        });
      }
      const runs = await Promise.all(viewers.map((client) => client.getRun({ runId })));
      expect(runs.map((run) => run.outcome)).to.deep.equal(['completed', 'completed']);
      expect(runs[0]).to.deep.equal(runs[1]);
    }
  });
});
