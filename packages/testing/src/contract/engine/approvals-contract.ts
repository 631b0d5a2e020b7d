import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { expectProblem, listRefusals } from '../../host/expect-problem.js';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { describePart } from './describe-part.js';
import { boundaryEvent, END, endEvent, error, sequence, START, userTask, workflow } from '../../host/elements.js';
import { retryInFlight } from './engine-host.js';

const MODELS = [
  sequence('simple', START, userTask('ok'), serviceTask('publish', 'work', 1), END),
  sequence('quorum', START, userTask('ok', { 'approval.quorum': '2' }), END),
  sequence('rework', START, serviceTask('draft', 'work', 1), userTask('ok', { 'approval.reworkStep': 'draft' }), END),
  workflow(
    'rejected',
    START + userTask('ok') + boundaryEvent('refused', 'ok', error('approval.rejected')) + END + endEvent('handled'),
    'start > ok',
    'ok > end',
    'refused > handled',
  ),
];

/** Tests approvals and their votes. */
export function describeApprovals(create: CreateTestEngine): void {
  describePart('approvals', create, { models: MODELS }, (getHost) => {
    it('should continue the run after an approval', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('simple', { amount: 3 });
      const { approvalId, digest } = await host.waitForApproval(runId);
      expect(await host.viewer.getRun({ runId })).to.include({ status: 'blocked', pendingApprovals: 1 });

      // when
      const approval = await host.approver.decideApproval({
        approvalId,
        body: { decision: 'approve', comment: 'fine', expectedDigest: digest },
      });

      // then
      expect(approval).to.include({ status: 'approved', resolvedBy: 'ada' });
      const { job } = await host.completeJob(runId);
      expect(job.variables['approval']).to.include({ decision: 'approve' });
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should end the run after a rejection that no event catches', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('simple');
      const { approvalId } = await host.waitForApproval(runId);

      // when
      await host.approver.decideApproval({ approvalId, body: { decision: 'reject' } });

      // then
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'rejected' });
    });

    it('should continue at the boundary event that catches a rejection', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('rejected');
      const { approvalId } = await host.waitForApproval(runId);

      // when
      await host.approver.decideApproval({ approvalId, body: { decision: 'reject' } });

      // then
      const { outcome, steps } = await host.waitForEnd(runId);
      expect(outcome).to.equal('completed');
      expect(steps.at(-1)).to.include({ elementId: 'handled' });
    });

    it('should count a vote once that is repeated with the same idempotency key', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('quorum');
      const { approvalId } = await host.waitForApproval(runId);
      const idempotencyKey = randomUUID();
      const vote = () =>
        retryInFlight(() =>
          host.approver.decideApproval({ approvalId, body: { decision: 'approve' } }, { idempotencyKey }),
        );

      // when
      const [first, ...repeats] = await Promise.all([vote(), vote(), vote()]);
      repeats.push(await vote());

      // then
      for (const repeat of repeats) expect(repeat).to.deep.equal(first);
      expect(await host.viewer.getApproval({ approvalId })).to.deep.include({
        status: 'pending',
        quorum: { required: 2, approvals: 1 },
      });
      expect(await host.countEvents(runId, 'approval.voted')).to.equal(1);
    });

    it('should approve once the quorum of different people has approved', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('quorum');
      const { approvalId } = await host.waitForApproval(runId);
      const body = { decision: 'approve' } as const;
      await host.approver.decideApproval({ approvalId, body });

      // when
      const repeat = await expectProblem(host.approver.decideApproval({ approvalId, body }));
      const other = await host.host.client('approver', 'bea');
      const approval = await other.decideApproval({ approvalId, body });

      // then
      expect(repeat).to.include({ code: 'already_voted' });
      expect(approval).to.deep.include({ status: 'approved', quorum: { required: 2, approvals: 2 } });
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should count one of several concurrent votes and refuse the others', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('rejected');
      const { approvalId } = await host.waitForApproval(runId);
      const voters = await Promise.all(['ann', 'bea', 'cem', 'dan'].map((name) => host.host.client('approver', name)));

      // when
      const results = await Promise.allSettled(
        voters.map((voter, index) =>
          voter.decideApproval({ approvalId, body: { decision: index % 2 === 0 ? 'approve' : 'reject' } }),
        ),
      );

      // then
      const counted = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(counted).to.have.length(1);
      for (const refusal of listRefusals(results))
        expect(refusal).to.include({
          status: 409,
          code: 'approval_already_resolved',
          resolvedBy: counted[0]?.resolvedBy,
        });
      expect(await host.countEvents(runId, 'approval.voted')).to.equal(1);
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should open a new round when the rework step has ended after a request for changes', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('rework');
      await host.completeJob(runId, { draft: 'one' });
      const first = await host.waitForApproval(runId);

      // when
      await host.approver.decideApproval({
        approvalId: first.approvalId,
        body: { decision: 'request_changes', comment: 'Name the migration.' },
      });
      await host.completeJob(runId, { draft: 'two' });
      const { seq } = (await host.listEvents(runId)).find(({ type }) => type === 'rework.started') ?? {};
      const second = await host.waitForApproval(runId, seq);

      // then
      expect(second).to.deep.include({ round: 2, status: 'pending' });
      expect(second.digest).not.to.equal(first.digest);
      const late = host.approver.decideApproval({ approvalId: first.approvalId, body: { decision: 'approve' } });
      expect(await expectProblem(late)).to.include({ code: 'approval_already_resolved' });
      await host.approver.decideApproval({ approvalId: second.approvalId, body: { decision: 'approve' } });
      expect(await host.waitForEnd(runId)).to.deep.include({ outcome: 'completed' });
    });

    it('should refuse a vote on an outdated digest', async () => {
      // given
      const host = getHost();
      const { approvalId } = await host.waitForApproval(await host.startRun('simple'));

      // when
      const vote = host.approver.decideApproval({
        approvalId,
        body: { decision: 'approve', expectedDigest: `sha256:${'0'.repeat(64)}` },
      });

      // then
      expect(await expectProblem(vote)).to.include({ status: 409, code: 'stale_digest' });
      expect(await host.viewer.getApproval({ approvalId })).to.deep.include({ status: 'pending', votes: [] });
    });

    it('should refuse a vote of the user who started the run', async () => {
      // given
      const host = getHost();
      const initiator = await host.host.client('approver', 'eve');
      const { runId } = await initiator.startRun({ body: { workflowId: 'simple' } });
      const { approvalId } = await host.waitForApproval(runId);

      // when
      const vote = initiator.decideApproval({ approvalId, body: { decision: 'approve' } });

      // then
      expect(await expectProblem(vote)).to.include({ status: 403, code: 'self_approval' });
      expect(await host.viewer.getApproval({ approvalId })).to.deep.include({ status: 'pending', votes: [] });
    });

    it('should withdraw the approval of a cancelled run', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('simple');
      const { approvalId } = await host.waitForApproval(runId);

      // when
      await host.operator.cancelRun({ runId, body: { reason: 'no longer needed' } });

      // then
      expect(await host.viewer.getApproval({ approvalId })).to.include({ status: 'withdrawn' });
      const late = host.approver.decideApproval({ approvalId, body: { decision: 'approve' } });
      expect((await expectProblem(late)).status).to.equal(409);
    });
  });
}
