import { expect } from 'chai';
import { expectProblem } from '../../host/expect-problem.js';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { describePart } from './describe-part.js';
import {
  boundaryEvent,
  catchEvent,
  END,
  endEvent,
  sequence,
  START,
  timer,
  userTask,
  workflow,
} from '../../host/elements.js';
import { countSteps } from './engine-host.js';

const pause = (expression: string): string => catchEvent('pause', timer('timeDuration', expression));

const withoutDeadline = sequence('job', START, serviceTask('step', 'work', 1), END);
const withDeadline = workflow(
  'job',
  START +
    serviceTask('step', 'work', 1) +
    boundaryEvent('late', 'step', timer('timeDuration', '=duration(limit)')) +
    serviceTask('notify', 'other', 1) +
    END +
    endEvent('noted'),
  'start > step',
  'step > notify',
  'notify > end',
  'late > noted',
);

/** In order: several versions of a workflow. */
const MODELS = [
  withoutDeadline,
  withDeadline,
  sequence('timer', START, pause('=duration(limit)'), END),
  sequence('timer', START, pause('PT2H'), serviceTask('after', 'work', 1), END),
  sequence('approval', START, userTask('ok'), END),
  sequence('approval', START, userTask('check'), serviceTask('after', 'work', 1), END),
];

/** Tests migrations of runs to another version of their workflow. */
export function describeMigration(create: CreateTestEngine): void {
  describePart('migrations', create, { models: MODELS, capability: 'migration' }, (getHost) => {
    it('should keep an open job', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('job', { limit: 'PT2H' }, 1);
      const held = await host.takeJob(runId);

      // when
      const run = await host.operator.migrateRun({ runId, body: { version: 2 } });
      expect(held.job.signal.aborted).to.equal(false);
      held.complete({ result: 'kept' });

      // then
      expect(run).to.include({ workflowVersion: 2 });
      const { job } = await host.completeJob(runId, {}, 'other');
      expect(job.variables).to.include({ result: 'kept' });
      expect(countSteps(await host.waitForEnd(runId))).to.deep.equal({ start: 1, step: 1, notify: 1, end: 1 });
    });

    it('should fire a timer that only the new version has', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('job', { limit: 'PT0.2S' }, 1);
      await host.takeJob(runId);

      // when
      await host.operator.migrateRun({ runId, body: { version: 2 } });

      // then
      expect(countSteps(await host.waitForEnd(runId))).to.deep.equal({ start: 1, step: 1, late: 1, noted: 1 });
    });

    it('should close a timer that only the old version has', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('job', { limit: 'PT2H' }, 2);
      const held = await host.takeJob(runId);

      // when
      await host.operator.migrateRun({ runId, body: { version: 1 } });

      // then
      expect((await host.viewer.getRun({ runId })).waitingFor).to.deep.equal([]);
      held.complete();
      expect(countSteps(await host.waitForEnd(runId))).to.deep.equal({ start: 1, step: 1, end: 1 });
    });

    it('should keep the due date of an open timer', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('timer', { limit: 'PT1H' }, 1);
      const { waitingFor } = await host.viewer.getRun({ runId });

      // when
      await host.operator.migrateRun({ runId, body: { version: 2 } });

      // then
      expect(waitingFor).to.have.length(1);
      expect(waitingFor[0]).to.include({ kind: 'timer', elementId: 'pause' });
      expect((await host.viewer.getRun({ runId })).waitingFor).to.deep.equal(waitingFor);
    });

    it('should fire a timer that was open before the migration', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('timer', { limit: 'PT2S' }, 1);

      // when
      await host.operator.migrateRun({ runId, body: { version: 2 } });

      // then
      await host.completeJob(runId);
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
      expect(await host.countEvents(runId, 'timer.fired')).to.equal(1);
    });

    it('should request an open approval again', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('approval', {}, 1);
      const first = await host.waitForApproval(runId);
      const body = { version: 2, mapping: { ok: 'check' } };
      const plan = await host.operator.migrateRun({ runId, body, dryRun: true });

      // when
      await host.operator.migrateRun({ runId, body });

      // then
      expect(plan.moves).to.deep.equal([{ from: 'ok', to: 'check' }]);
      const vote = (approvalId: string) => host.approver.decideApproval({ approvalId, body: { decision: 'approve' } });
      expect((await expectProblem(vote(first.approvalId))).status).to.equal(409);
      const second = (await host.viewer.listApprovals({ runId })).items[0]?.approvalId ?? '';
      await vote(second);
      await host.completeJob(runId);
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed', workflowVersion: 2 });
    });

    it('should refuse a migration that would lose an open element', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('approval', {}, 1);
      await host.waitForApproval(runId);

      // when
      const problem = await expectProblem(host.operator.migrateRun({ runId, body: { version: 2 } }));

      // then
      expect(problem).to.include({ code: 'migration_refused' });
      expect(await host.viewer.getRun({ runId })).to.include({ workflowVersion: 1, pendingApprovals: 1 });
    });
  });
}
