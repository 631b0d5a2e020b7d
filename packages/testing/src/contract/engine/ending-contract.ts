import { TerminalFailure } from '@countersign/core/plugin';
import { waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import { expectProblem, listRefusals } from '../../host/expect-problem.js';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { describePart } from './describe-part.js';
import {
  boundaryEvent,
  compensableTask,
  END,
  endEvent,
  gateway,
  sequence,
  START,
  TERMINATE,
  timer,
  userTask,
  workflow,
} from '../../host/elements.js';
import { countSteps } from './engine-host.js';

const CANCEL = { reason: 'no longer needed' };

const MODELS = [
  workflow(
    'trip',
    START + compensableTask('hotel', 'work') + compensableTask('flight', 'work') + serviceTask('pay', 'other', 1) + END,
    'start > hotel',
    'hotel > flight',
    'flight > pay',
    'pay > end',
  ),
  workflow(
    'terminated',
    START +
      gateway('parallel', 'fork') +
      serviceTask('slow', 'work', 1) +
      serviceTask('fast', 'other', 1) +
      END +
      endEvent('stop', TERMINATE),
    'start > fork',
    'fork > slow',
    'fork > fast',
    'slow > end',
    'fast > stop',
  ),
  workflow(
    'approved',
    START + userTask('ok') + boundaryEvent('late', 'ok', timer('timeDuration', 'PT2H')) + END + endEvent('noted'),
    'start > ok',
    'ok > end',
    'late > noted',
  ),
  sequence('job', START, serviceTask('step', 'work', 1), END),
];

/** Tests cancellations, their plans, and other ends of runs. */
export function describeEnding(create: CreateTestEngine): void {
  describePart('ends of runs', create, { models: MODELS }, (getHost) => {
    it('should compensate the completed steps of a cancelled run in reverse order', async () => {
      // given
      const host = getHost();
      const { operator, viewer } = host;
      const runId = await host.startRun('trip');
      for (const _task of ['hotel', 'flight']) await host.completeJob(runId);
      const paying = await host.takeJob(runId, 'other');

      // when
      const run = await operator.cancelRun({ runId, body: CANCEL });
      const undone = [];
      for (const _task of ['flight', 'hotel']) undone.push((await host.completeJob(runId, {}, 'undo')).job.elementId);

      // then
      expect(run).to.include({ outcome: null, cancelling: true });
      expect(undone).to.deep.equal(['undo-flight', 'undo-hotel']);
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'cancelled', cancelling: false });
      await waitUntil('the job is aborted', () => paying.job.signal.aborted);
      expect(await expectProblem(operator.cancelRun({ runId, body: CANCEL }))).to.include({
        code: 'run_already_ended',
      });
      expect((await viewer.getRun({ runId })).steps.filter(({ status }) => status === 'cancelled')).to.have.length(1);
    });

    it('should plan a cancellation without executing it', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('approved');
      const { approvalId } = await host.waitForApproval(runId);
      const before = await host.viewer.getRun({ runId });

      // when
      const plan = await host.operator.cancelRun({ runId, body: CANCEL, dryRun: true });

      // then
      expect(plan).to.include({ dryRun: true, operation: 'cancel' });
      expect(plan.stop.map(({ elementId }) => elementId)).to.deep.equal(['ok']);
      expect(plan.void.map(({ kind }) => kind)).to.have.members(['approval', 'timer']);
      expect(await host.viewer.getRun({ runId })).to.deep.equal(before);
      await host.approver.decideApproval({ approvalId, body: { decision: 'approve' } });
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should plan a recovery without executing it', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('job');
      (await host.takeJob(runId)).fail(new TerminalFailure('address_unknown', 'There is no such address.'));
      const before = await host.waitForIncident(runId);

      // when
      const plan = await host.operator.recoverRun({ runId, dryRun: true });

      // then
      expect(plan.retry.map(({ elementId }) => elementId)).to.deep.equal(['step']);
      expect(await host.viewer.getRun({ runId })).to.deep.equal(before);
      expect(await expectProblem(host.operator.recoverRun({ runId: await host.startRun('approved') }))).to.include({
        code: 'run_not_recoverable',
      });
    });

    it('should abort all jobs at a terminate end event', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('terminated');
      const slow = await host.takeJob(runId);

      // when
      await host.completeJob(runId, {}, 'other');

      // then
      const run = await host.waitForEnd(runId);
      expect(run).to.include({ outcome: 'completed' });
      expect(countSteps(run)).not.to.have.property('end');
      await waitUntil('the job is aborted', () => slow.job.signal.aborted);
    });

    it('should cancel several runs, each with its own result', async () => {
      // given
      const host = getHost();
      const [first, second, ended] = [
        await host.startRun('job'),
        await host.startRun('approved'),
        await host.startRun('job'),
      ];
      const held = await host.takeJob(first);
      await host.completeJob(ended);
      await host.waitForEnd(ended);

      // when
      const { results } = await host.operator.bulkCancelRuns({ body: { runIds: [first, second, ended], ...CANCEL } });

      // then
      expect(results.map(({ ok, error: failure }) => failure?.code ?? ok)).to.deep.equal([
        true,
        true,
        'run_already_ended',
      ]);
      for (const runId of [first, second]) expect(await host.waitForEnd(runId)).to.include({ outcome: 'cancelled' });
      await waitUntil('the job is aborted', () => held.job.signal.aborted);
    });

    it('should recover several runs', async () => {
      // given
      const host = getHost();
      const runIds = [await host.startRun('job'), await host.startRun('job')];
      for (const runId of runIds) {
        (await host.takeJob(runId)).fail(new TerminalFailure('address_unknown', 'There is no such address.'));
        await host.waitForIncident(runId);
      }

      // when
      const { succeeded } = await host.operator.bulkRecoverRuns({ body: { runIds } });

      // then
      expect(succeeded).to.equal(2);
      for (const runId of runIds) {
        await host.completeJob(runId);
        expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
      }
    });

    it('should accept one of several concurrent cancellations and votes', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('approved');
      const { approvalId } = await host.waitForApproval(runId);

      // when
      const results = await Promise.allSettled([
        host.operator.cancelRun({ runId, body: CANCEL }),
        host.approver.decideApproval({ approvalId, body: { decision: 'approve' } }),
        host.admin.cancelRun({ runId, body: CANCEL }),
      ]);

      // then
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      for (const { status, code } of listRefusals(results)) {
        expect(status).to.equal(409);
        expect(code).to.be.oneOf(['run_already_ended', 'approval_already_resolved']);
      }
      expect((await host.waitForEnd(runId)).outcome).to.be.oneOf(['cancelled', 'completed']);
    });
  });
}
