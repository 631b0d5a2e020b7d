import { BpmnError, TerminalFailure } from '@countersign/core/plugin';
import { waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { describePart } from './describe-part.js';
import {
  boundaryEvent,
  END,
  endEvent,
  error,
  gateway,
  loopTask,
  message,
  sequence,
  START,
  workflow,
} from '../../host/elements.js';
import { CONTEXT, countSteps } from './engine-host.js';
import { STUBBORN, StubbornJobs } from './stubborn-jobs.js';

const PARALLEL_JOBS = ['one', 'two', 'three'];

const MODELS = [
  sequence('two-jobs', START, serviceTask('first', 'work', 1), serviceTask('second', 'other', 1), END),
  sequence('retried', START, serviceTask('try', 'work', 2), END),
  sequence('loop', START, loopTask('each', 'work'), serviceTask('last', 'other', 1), END),
  sequence('sequential-loop', START, loopTask('each', 'work', true), END),
  workflow(
    'parallel',
    START +
      gateway('parallel', 'fork') +
      PARALLEL_JOBS.map((id) => serviceTask(id, 'work', 1)).join('') +
      gateway('parallel', 'join') +
      END,
    'start > fork',
    ...PARALLEL_JOBS.flatMap((id) => [`fork > ${id}`, `${id} > join`]),
    'join > end',
  ),
  workflow(
    'stubborn',
    START +
      serviceTask('slow', STUBBORN, 2) +
      boundaryEvent('stop', 'slow', message('job.stop')) +
      serviceTask('instead', 'other', 1) +
      END +
      endEvent('handled'),
    'start > slow',
    'slow > end',
    'stop > instead',
    'instead > handled',
  ),
  workflow(
    'interrupted',
    START +
      serviceTask('slow', 'work', 1) +
      boundaryEvent('stop', 'slow', message('job.stop')) +
      boundaryEvent('caught', 'slow', error('expected')) +
      serviceTask('instead', 'other', 1) +
      END +
      endEvent('handled'),
    'start > slow',
    'slow > end',
    'stop > instead',
    'instead > handled',
    'caught > handled',
  ),
];

/** Tests that jobs run, fail, are retried and are aborted. */
export function describeJobs(create: CreateTestEngine): void {
  const stubborn = new StubbornJobs();
  describePart('jobs', create, { models: MODELS, plugins: [stubborn.createPlugin()] }, (getHost) => {
    const stopJob = (correlationKey: string) =>
      getHost().engine.correlateMessage({ context: CONTEXT, messageName: 'job.stop', correlationKey, payload: {} });

    it('should run one job after the other and write their outputs to the variables', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('two-jobs', { amount: 3 });

      // when
      await host.completeJob(runId, { draft: 'one', amount: 4 });
      const { job } = await host.completeJob(runId, { sent: true }, 'other');

      // then
      expect(job.variables).to.deep.equal({ amount: 4, draft: 'one' });
      const run = await host.waitForEnd(runId);
      expect(run).to.deep.include({ outcome: 'completed', variables: { amount: 4, draft: 'one', sent: true } });
      expect(countSteps(run)).to.deep.equal({ start: 1, first: 1, second: 1, end: 1 });
    });

    it('should retry a failed job', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('retried');

      // when
      const first = await host.takeJob(runId);
      first.fail(new Error('not now'));
      const second = await host.completeJob(runId, { result: 'late' });

      // then
      expect([first.job.attempt, second.job.attempt]).to.deep.equal([1, 2]);
      expect(second.job.stepId).to.equal(first.job.stepId);
      const { steps, variables } = await host.waitForEnd(runId);
      expect(steps.find(({ elementId }) => elementId === 'try')).to.include({ status: 'completed', attempt: 2 });
      expect(variables).to.deep.equal({ result: 'late' });
      expect(await host.countEvents(runId, 'step.attempt_failed')).to.equal(1);
    });

    it('should run a job again when the incident after its last attempt is recovered', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('retried', { amount: 3 });
      (await host.takeJob(runId)).fail(new Error('not now'));
      (await host.takeJob(runId)).fail(new Error('never'));

      // when
      const failed = await host.waitForIncident(runId);
      await host.operator.recoverRun({ runId, body: { variables: { amount: 4 } } });
      const { job } = await host.completeJob(runId);

      // then
      expect(failed).to.include({ status: 'failed', outcome: null, recoverable: true, incidents: 1 });
      expect(failed.error).to.include({ elementId: 'try' });
      expect(job.variables).to.deep.equal({ amount: 4 });
      expect(job.attempt).to.equal(3);
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed', incidents: 0 });
    });

    it('should raise an incident without a retry if a job fails permanently', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('retried');

      // when
      (await host.takeJob(runId)).fail(new TerminalFailure('address_unknown', 'There is no such address.'));

      // then
      const { error: failure, steps } = await host.waitForIncident(runId);
      expect(failure).to.include({ code: 'address_unknown' });
      expect(steps.find(({ elementId }) => elementId === 'try')).to.include({ status: 'failed', attempt: 1 });
    });

    it('should continue at the boundary event that catches the BPMN error of a job', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('interrupted', { key: 'errors' });

      // when
      (await host.takeJob(runId)).fail(new BpmnError('expected', 'as modelled'));

      // then
      const run = await host.waitForEnd(runId);
      expect(run).to.include({ outcome: 'completed' });
      expect(countSteps(run)).to.deep.equal({ start: 1, slow: 1, caught: 1, handled: 1 });
    });

    it('should run parallel jobs at the same time', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('parallel');

      // when all jobs have started before the first one ends
      const held = [await host.takeJob(runId), await host.takeJob(runId), await host.takeJob(runId)];
      for (const each of held) each.complete({ [each.job.elementId]: 'done' });

      // then
      const { variables } = await host.waitForEnd(runId);
      expect(variables).to.deep.equal({ one: 'done', two: 'done', three: 'done' });
    });

    it('should collect the results of the jobs of a parallel loop in the order of the elements', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('loop', { items: [1, 2, 3] });

      // when
      const held = [await host.takeJob(runId), await host.takeJob(runId), await host.takeJob(runId)];
      for (const each of held.reverse()) each.complete({ result: Number(each.job.variables['item']) * 2 });

      // then
      const { job } = await host.completeJob(runId, {}, 'other');
      expect(job.variables['results']).to.deep.equal([2, 4, 6]);
    });

    it('should run the jobs of a sequential loop one after the other', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('sequential-loop', { items: ['a', 'b', 'c'] });

      // when
      const items = [];
      for (let index = 0; index < 3; index += 1) {
        const held = await host.takeJob(runId);
        expect(
          (await host.viewer.getRun({ runId })).steps.filter(({ status }) => status === 'active'),
        ).to.have.length.at.most(2);
        items.push(held.job.variables['item']);
        held.complete({ result: held.job.variables['item'] ?? null });
      }

      // then
      expect(items).to.deep.equal(['a', 'b', 'c']);
      expect((await host.waitForEnd(runId)).variables['results']).to.deep.equal(['a', 'b', 'c']);
    });

    it('should abort the job of an interrupted step', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('interrupted', { key: 'A-1' });
      const slow = await host.takeJob(runId);

      // when
      await stopJob('A-1');
      await host.completeJob(runId, {}, 'other');
      await waitUntil('the job is aborted', () => slow.job.signal.aborted);

      // then
      const run = await host.waitForEnd(runId);
      expect(countSteps(run)).to.deep.equal({ start: 1, slow: 1, stop: 1, instead: 1, handled: 1 });
      expect(run.steps.find(({ elementId }) => elementId === 'slow')).to.include({ status: 'cancelled' });
    });

    it('should ignore the result of a job that ignores its abort', async () => {
      // given
      const host = getHost();
      const runIds = [
        await host.startRun('stubborn', { key: 'interrupted' }),
        await host.startRun('stubborn', { key: 'cancelled' }),
      ];
      const [interrupted = '', cancelled = ''] = runIds;
      await waitUntil('both jobs run', () => runIds.every((runId) => stubborn.isRunning(runId)));
      await stopJob('interrupted');
      await host.operator.cancelRun({ runId: cancelled, body: { reason: 'no longer needed' } });

      // when
      for (const runId of runIds) stubborn.release(runId, { result: 'late' });
      await waitUntil('both jobs have ended', async () =>
        (await host.engine.status()).workers.every(({ jobType, active }) => jobType !== STUBBORN || active === 0),
      );
      await host.completeJob(interrupted, {}, 'other');

      // then
      for (const runId of runIds) {
        const { steps, variables } = await host.waitForEnd(runId);
        expect(variables).not.to.have.property('result');
        expect(steps.find(({ elementId }) => elementId === 'slow')).to.include({ status: 'cancelled' });
      }
    });

    it('should abort the job of a cancelled run', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('two-jobs');
      const held = await host.takeJob(runId);

      // when
      await host.operator.cancelRun({ runId, body: { reason: 'no longer needed' } });
      await waitUntil('the job is aborted', () => held.job.signal.aborted);

      // then
      const run = await host.waitForEnd(runId);
      expect(run).to.deep.include({ outcome: 'cancelled', variables: {} });
      expect(countSteps(run)).to.deep.equal({ start: 1, first: 1 });
    });
  });
}
