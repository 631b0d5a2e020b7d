import { waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { listRefusals } from '../../host/expect-problem.js';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { checkHistories } from './check-histories.js';
import { TIMEOUT_MS } from './describe-part.js';
import {
  boundaryEvent,
  catchEvent,
  END,
  endEvent,
  gateway,
  loopTask,
  message,
  sequence,
  START,
  timer,
  userTask,
  workflow,
} from '../../host/elements.js';
import { CONTEXT, type EngineHost, retryInFlight } from './engine-host.js';
import { Installation } from './installation.js';
import { RECORDED, RecordedJobs } from './recorded-jobs.js';

const MODELS = [
  sequence('publish', START, serviceTask('draft', 'left', 1), userTask('ok'), serviceTask('send', 'right', 1), END),
  sequence('loop', START, loopTask('each', RECORDED), END),
  sequence('timer', START, catchEvent('pause', timer('timeDuration', 'PT0.3S')), serviceTask('step', RECORDED, 1), END),
  sequence('payment', START, catchEvent('wait', message('paid')), END),
  sequence('approval', START, userTask('ok'), END),
  workflow(
    'interrupted',
    START +
      serviceTask('draft', 'left', 1) +
      boundaryEvent('stop', 'draft', message('draft.stop')) +
      END +
      endEvent('stopped'),
    'start > draft',
    'draft > end',
    'stop > stopped',
  ),
  workflow(
    'both',
    START +
      gateway('parallel', 'fork') +
      serviceTask('one', 'left', 1) +
      serviceTask('two', 'right', 1) +
      gateway('parallel', 'join') +
      END,
    'start > fork',
    'fork > one',
    'fork > two',
    'one > join',
    'two > join',
    'join > end',
  ),
];

/** Tests that two servers share the runs of one database. */
export function describeSeveralServers(create: CreateTestEngine): void {
  describe('two servers', function () {
    this.timeout(TIMEOUT_MS);
    let installation: Installation | undefined;
    let left: EngineHost;
    let right: EngineHost;
    const recorded = new RecordedJobs();

    before(async () => {
      installation = await Installation.create(create);
      const plugins = [recorded.createPlugin()];
      left = await installation.start({ jobTypes: ['left'], plugins });
      right = await installation.start({ jobTypes: ['right'], plugins });
      for (const model of MODELS) await left.host.deploy(model);
    });

    after(() => installation?.dispose());

    it('should have different ids', async () => {
      const statuses = await Promise.all([left.engine.status(), right.engine.status()]);

      expect(statuses[0].instanceId).not.to.equal(statuses[1].instanceId);
    });

    it('should continue a run of one server after a vote on the other server', async () => {
      // given
      const runId = await left.startRun('publish', { amount: 3 });
      await left.completeJob(runId, { draft: 'one' }, 'left');
      const { approvalId } = await left.waitForApproval(runId);

      // when
      await right.approver.decideApproval({ approvalId, body: { decision: 'approve' } });

      // then
      const { job } = await right.completeJob(runId, {}, 'right');
      expect(job.variables).to.include({ amount: 3, draft: 'one' });
      expect(await left.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should run each job on the server that serves its type', async () => {
      // given
      const runId = await right.startRun('both');

      // when
      const [one, two] = await Promise.all([left.takeJob(runId, 'left'), right.takeJob(runId, 'right')]);
      one.complete({ one: true });
      two.complete({ two: true });

      // then
      expect((await left.waitForEnd(runId)).variables).to.deep.equal({ one: true, two: true });
    });

    it('should complete each of many jobs once', async () => {
      // given
      const items = Array.from({ length: 20 }, (_item, index) => index);

      // when
      const runIds = await Promise.all([left, right].map((server) => server.startRun('loop', { items })));

      // then
      for (const runId of runIds) {
        const { steps, variables } = await left.waitForEnd(runId);
        expect(variables['results']).to.deep.equal(items);
        const completed = (await left.listEvents(runId)).filter(({ type }) => type === 'step.completed');
        expect(completed.map(({ stepId }) => stepId)).to.have.members(steps.map(({ stepId }) => stepId));
      }
    });

    it('should not start a job that another server executes', async () => {
      // given
      const items = [1, 2, 3, 4, 5, 6, 7, 8];
      recorded.reset();
      const release = recorded.hold();
      try {
        const runIds = await Promise.all([left, right].map((server) => server.startRun('loop', { items })));
        await waitUntil('all jobs have started', () => recorded.startedCount === items.length * 2);

        // when both servers start and complete other jobs
        const otherRunId = await left.startRun('both');
        await left.completeJob(otherRunId, {}, 'left');
        await right.completeJob(otherRunId, {}, 'right');
        await left.waitForEnd(otherRunId);

        // then an execution that has lost its job, because its server seemed to be dead, is aborted
        await waitUntil('no job is executed twice', () => recorded.listConcurrentStarts().length === 0);
        release();
        for (const runId of runIds) expect((await left.waitForEnd(runId)).variables['results']).to.deep.equal(items);
      } finally {
        release();
      }
    });

    for (const { title, endStep } of [
      {
        title: 'cancels its run',
        endStep: (runId: string) => right.operator.cancelRun({ runId, body: { reason: 'no longer needed' } }),
      },
      {
        title: 'interrupts its step',
        endStep: (_runId: string, key: string) =>
          right.engine.correlateMessage({
            context: CONTEXT,
            messageName: 'draft.stop',
            correlationKey: key,
            payload: {},
          }),
      },
    ])
      it(`should discard the result of a job that is submitted while the other server ${title}`, async () => {
        // given
        const key = randomUUID();
        const runId = await left.startRun('interrupted', { key });
        const { job, complete } = await left.takeJob(runId, 'left');
        let hasEnded = false;

        // when
        beforeResult(left, job.jobId, async () => {
          await endStep(runId, key);
          hasEnded = true;
        });
        complete({ result: 'late' });
        await waitUntil('the result was submitted', () => hasEnded);

        // then
        const { steps, variables } = await right.waitForEnd(runId);
        expect(variables).to.deep.equal({ key });
        expect(steps.find(({ elementId }) => elementId === 'draft')).to.include({ status: 'cancelled' });
        await waitUntil('the job has ended', async () =>
          (await left.engine.status()).workers.every(({ active }) => active === 0),
        );
      });

    it('should fire each timer once', async () => {
      // when
      const runIds = await Promise.all([left, right, left, right, left].map((server) => server.startRun('timer')));

      // then
      for (const runId of runIds) {
        await right.waitForEnd(runId);
        expect(await right.countEvents(runId, 'timer.fired')).to.equal(1);
        expect(await right.countEvents(runId, 'step.completed', 'step')).to.equal(1);
      }
    });

    it('should start one run for requests to both servers with the same idempotency key', async () => {
      // given
      const idempotencyKey = randomUUID();

      // when
      const runs = await Promise.all(
        [left, right].map(({ viewer }) =>
          retryInFlight(() =>
            viewer.startRun({ body: { workflowId: 'approval', businessKey: 'shared' } }, { idempotencyKey }),
          ),
        ),
      );

      // then
      expect(runs[1]?.runId).to.equal(runs[0]?.runId);
      expect((await left.viewer.listRuns({ businessKey: 'shared' })).items).to.have.length(1);
    });

    it('should count one of two votes that the servers receive at the same time', async () => {
      // given
      const runId = await left.startRun('approval');
      const { approvalId } = await left.waitForApproval(runId);
      const body = { decision: 'approve' } as const;

      // when
      const results = await Promise.allSettled([
        left.approver.decideApproval({ approvalId, body }),
        right.admin.decideApproval({ approvalId, body }),
      ]);

      // then
      expect(listRefusals(results).map(({ code }) => code)).to.deep.equal(['approval_already_resolved']);
      expect(await right.waitForEnd(runId)).to.include({ outcome: 'completed' });
      expect(await right.countEvents(runId, 'approval.voted')).to.equal(1);
    });

    it('should abort a job of one server when the other one cancels its run', async () => {
      // given
      const runId = await left.startRun('publish');
      const { job } = await left.takeJob(runId, 'left');

      // when
      await right.operator.cancelRun({ runId, body: { reason: 'no longer needed' } });

      // then
      await waitUntil('the job is aborted', () => job.signal.aborted);
      expect(await left.waitForEnd(runId)).to.include({ outcome: 'cancelled' });
    });

    it('should deliver a message to a run of the other server', async () => {
      // given
      const runId = await left.startRun('payment', { key: 'A-1' });

      // when
      const receipts = await Promise.all(
        [left, right].map(({ engine }) =>
          engine.correlateMessage({ context: CONTEXT, messageName: 'paid', correlationKey: 'A-1', payload: {} }),
        ),
      );

      // then
      expect(receipts.flatMap(({ runIds }) => runIds)).to.deep.equal([runId]);
      expect(await right.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should leave valid histories without open work', async () => {
      await checkHistories(left);
      await checkHistories(right);
    });
  });
}

/** Executes an action once, immediately before the server commits the result of a job. */
function beforeResult({ storage }: EngineHost, jobId: string, act: () => Promise<unknown>): void {
  const commit = storage.commit.bind(storage);
  storage.commit = async (writes) => {
    if (writes.some(({ fence }) => fence?.jobId === jobId)) {
      storage.commit = commit;
      await act();
    }
    return commit(writes);
  };
}
