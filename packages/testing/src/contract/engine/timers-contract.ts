import { waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { describePart } from './describe-part.js';
import {
  boundaryEvent,
  catchEvent,
  END,
  endEvent,
  gateway,
  message,
  sequence,
  START,
  startEvent,
  TERMINATE,
  timer,
  userTask,
  workflow,
} from '../../host/elements.js';
import { CONTEXT, countSteps } from './engine-host.js';

const PAST = '2020-02-29T12:00:00Z';
const SHORT = timer('timeDuration', 'PT0.2S');

const BOUNDARY_FLOWS = ['start > slow', 'slow > end', 'late > other', 'other > noted'];
const BOUNDARY_ELEMENTS =
  START + serviceTask('slow', 'work', 1) + serviceTask('other', 'other', 1) + END + endEvent('noted');

const MODELS = [
  sequence('duration', START, catchEvent('pause', SHORT), serviceTask('after', 'work', 1), END),
  sequence('date', START, catchEvent('pause', timer('timeDate', PAST)), serviceTask('after', 'work', 1), END),
  sequence('computed', START, catchEvent('pause', timer('timeDuration', '=duration(pause)')), END),
  workflow(
    'interrupting',
    START +
      userTask('ok') +
      boundaryEvent('late', 'ok', SHORT) +
      serviceTask('other', 'other', 1) +
      END +
      endEvent('noted'),
    'start > ok',
    'ok > end',
    'late > other',
    'other > noted',
  ),
  // The timer starts with a message, so that the job starts before the timer fires.
  workflow(
    'aborting',
    START +
      gateway('parallel', 'fork') +
      serviceTask('slow', 'work', 1) +
      END +
      catchEvent('go', message('timer.go')) +
      catchEvent('pause', SHORT) +
      endEvent('stop', TERMINATE),
    'start > fork',
    'fork > slow',
    'slow > end',
    'fork > go',
    'go > pause',
    'pause > stop',
  ),
  workflow('non-interrupting', BOUNDARY_ELEMENTS + boundaryEvent('late', 'slow', SHORT, false), ...BOUNDARY_FLOWS),
  workflow(
    'cycle',
    START +
      gateway('parallel', 'fork') +
      serviceTask('slow', 'work', 1) +
      boundaryEvent('late', 'slow', timer('timeCycle', 'R3/PT0.1S'), false) +
      serviceTask('other', 'other', 1) +
      END +
      endEvent('noted') +
      catchEvent('go', message('timer.go')) +
      catchEvent('pause', timer('timeDuration', 'PT0.5S')) +
      endEvent('paused'),
    'start > fork',
    'fork > slow',
    'slow > end',
    'late > other',
    'other > noted',
    'fork > go',
    'go > pause',
    'pause > paused',
  ),
  workflow(
    'in-time',
    START +
      gateway('parallel', 'fork') +
      userTask('ok') +
      boundaryEvent('late', 'ok', timer('timeDuration', 'PT2S')) +
      END +
      endEvent('noted') +
      catchEvent('pause', timer('timeDuration', 'PT2.5S')) +
      endEvent('paused'),
    'start > fork',
    'fork > ok',
    'ok > end',
    'late > noted',
    'fork > pause',
    'pause > paused',
  ),
  workflow(
    'race',
    START +
      gateway('eventBased', 'first') +
      catchEvent('answer', message('race.answer')) +
      catchEvent('timeout', timer('timeDuration', '=duration(limit)')) +
      endEvent('answered') +
      endEvent('expired'),
    'start > first',
    'first > answer',
    'first > timeout',
    'answer > answered',
    'timeout > expired',
  ),
];

/** Tests timers of runs, and start events with timers. */
export function describeTimers(create: CreateTestEngine): void {
  describePart('timers', create, { models: MODELS }, (getHost) => {
    const send = (messageName: string, correlationKey: string) =>
      getHost().engine.correlateMessage({ context: CONTEXT, messageName, correlationKey, payload: {} });

    for (const workflowId of ['duration', 'date']) {
      it(`should continue a run once after a timer with a ${workflowId}`, async () => {
        const host = getHost();
        const runId = await host.startRun(workflowId);

        await host.completeJob(runId);

        const run = await host.waitForEnd(runId);
        expect(countSteps(run)).to.deep.equal({ start: 1, pause: 1, after: 1, end: 1 });
        expect(await host.countEvents(runId, 'timer.fired')).to.equal(1);
      });
    }

    it('should fire timers of many runs, each once', async () => {
      // given
      const host = getHost();

      // when
      const runIds = await Promise.all(
        Array.from({ length: 10 }, () => host.startRun('computed', { pause: 'PT0.2S' })),
      );

      // then
      for (const runId of runIds) {
        await host.waitForEnd(runId);
        expect(await host.countEvents(runId, 'timer.fired')).to.equal(1);
      }
    });

    it('should not fire a timer before it is due', async () => {
      // given
      const host = getHost();
      const later = await host.startRun('computed', { pause: 'PT2H' });

      // when a timer that is due earlier fires
      await host.waitForEnd(await host.startRun('computed', { pause: 'PT0.3S' }));

      // then
      const { status, waitingFor } = await host.viewer.getRun({ runId: later });
      expect(status).to.equal('blocked');
      expect(waitingFor).to.have.length(1);
      expect(waitingFor[0]).to.include({ kind: 'timer', elementId: 'pause' });
    });

    it('should interrupt a step when its boundary timer fires', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('interrupting');

      // when
      await host.completeJob(runId, {}, 'other');

      // then
      const run = await host.waitForEnd(runId);
      expect(countSteps(run)).to.deep.equal({ start: 1, ok: 1, late: 1, other: 1, noted: 1 });
      expect(run.steps.find(({ elementId }) => elementId === 'ok')).to.include({ status: 'cancelled' });
    });

    it('should abort the job of a run that ends when its timer fires', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('aborting', { key: 'aborting' });
      const slow = await host.takeJob(runId);

      // when
      await send('timer.go', 'aborting');

      // then
      const run = await host.waitForEnd(runId);
      expect(countSteps(run)).to.deep.equal({ start: 1, fork: 1, slow: 1, go: 1, pause: 1, stop: 1 });
      await waitUntil('the job is aborted', () => slow.job.signal.aborted);
    });

    it('should leave a step active if its boundary timer does not interrupt', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('non-interrupting');
      const slow = await host.takeJob(runId);

      // when
      await host.completeJob(runId, {}, 'other');
      expect(slow.job.signal.aborted).to.equal(false);
      slow.complete({ result: 'slow' });

      // then
      const run = await host.waitForEnd(runId);
      expect(countSteps(run)).to.deep.equal({ start: 1, slow: 1, late: 1, other: 1, noted: 1, end: 1 });
      expect(run.variables).to.deep.equal({ result: 'slow' });
    });

    it('should fire a cycle exactly as often as its count', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('cycle', { key: 'cycle' });
      const slow = await host.takeJob(runId);

      // when
      for (let count = 0; count < 3; count += 1) await host.completeJob(runId, {}, 'other');
      // This timer of the same run is due later than a fourth repetition.
      await send('timer.go', 'cycle');
      await host.waitForStep(runId, 'pause', 'completed');
      slow.complete();

      // then
      expect(countSteps(await host.waitForEnd(runId))).to.include({ late: 3, noted: 3 });
      expect(await host.countEvents(runId, 'timer.fired', 'late')).to.equal(3);
    });

    it('should not fire the timer of a step that has ended', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('in-time');

      // when
      const { approvalId } = await host.waitForApproval(runId);
      await host.approver.decideApproval({ approvalId, body: { decision: 'approve' } });

      // then the run ends with a timer that is due later
      const run = await host.waitForEnd(runId);
      expect(countSteps(run)).to.deep.equal({ start: 1, fork: 1, ok: 1, end: 1, pause: 1, paused: 1 });
      expect(await host.countEvents(runId, 'timer.fired')).to.equal(1);
    });

    it('should not fire the timer of a cancelled run', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('computed', { pause: 'PT2S' });

      // when
      await host.operator.cancelRun({ runId, body: { reason: 'no longer needed' } });
      // A timer that is due later.
      await host.waitForEnd(await host.startRun('computed', { pause: 'PT2.5S' }));

      // then
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'cancelled' });
      expect(await host.countEvents(runId, 'timer.fired')).to.equal(0);
    });

    it('should continue on the path of the first event after an event-based gateway', async () => {
      // given
      const host = getHost();
      const answered = await host.startRun('race', { key: 'answered', limit: 'PT2H' });
      const expired = await host.startRun('race', { key: 'expired', limit: 'PT0.2S' });

      // when
      await host.waitForEnd(expired);
      const [first, late] = [await send('race.answer', 'answered'), await send('race.answer', 'expired')];

      // then
      expect([first.runIds, late.runIds]).to.deep.equal([[answered], []]);
      expect((await host.waitForEnd(answered)).steps.at(-1)).to.include({ elementId: 'answered' });
      expect((await host.waitForEnd(expired)).steps.at(-1)).to.include({ elementId: 'expired' });
    });

    for (const { title, definition, count } of [
      { title: 'one run for a date', definition: timer('timeDate', PAST), count: 1 },
      { title: 'a run for each repetition of a cycle', definition: timer('timeCycle', 'R3/PT0.1S'), count: 3 },
    ])
      it(`should start ${title}`, async () => {
        // given
        const host = getHost();
        const workflowId = `started-${count}`;

        // when
        await host.host.deploy(
          sequence(workflowId, startEvent('start', definition), serviceTask('step', 'work', 1), END),
        );

        // then
        const runIds = await host.waitForCount(workflowId, count);
        await waitUntil('no start is due', async () => (await host.storage.nextStartTimerAt()) === null);
        for (const runId of runIds) await host.completeJob(runId);
        for (const runId of runIds) expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
        expect(await host.listRunIds(workflowId)).to.have.length(count);
      });
  });
}
