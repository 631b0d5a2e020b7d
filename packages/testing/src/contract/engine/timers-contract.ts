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
  timer,
  workflow,
} from './elements.js';
import { CONTEXT, countSteps } from './engine-host.js';

const PAST = '2020-02-29T12:00:00Z';
const SHORT = timer('timeDuration', 'PT0.2S');
const LONG = timer('timeDuration', 'PT2H');

const BOUNDARY_FLOWS = ['start > slow', 'slow > end', 'late > other', 'other > noted'];
const BOUNDARY_ELEMENTS =
  START + serviceTask('slow', 'work', 1) + serviceTask('other', 'other', 1) + END + endEvent('noted');

const MODELS = [
  sequence('duration', START, catchEvent('pause', SHORT), serviceTask('after', 'work', 1), END),
  sequence('date', START, catchEvent('pause', timer('timeDate', PAST)), serviceTask('after', 'work', 1), END),
  sequence('computed', START, catchEvent('pause', timer('timeDuration', '=duration(pause)')), END),
  workflow('interrupting', BOUNDARY_ELEMENTS + boundaryEvent('late', 'slow', SHORT), ...BOUNDARY_FLOWS),
  workflow('non-interrupting', BOUNDARY_ELEMENTS + boundaryEvent('late', 'slow', SHORT, false), ...BOUNDARY_FLOWS),
  workflow(
    'cycle',
    BOUNDARY_ELEMENTS + boundaryEvent('late', 'slow', timer('timeCycle', 'R3/PT0.1S'), false),
    ...BOUNDARY_FLOWS,
  ),
  workflow(
    'in-time',
    START + serviceTask('slow', 'work', 1) + boundaryEvent('late', 'slow', LONG) + END + endEvent('noted'),
    'start > slow',
    'slow > end',
    'late > noted',
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

    it('should interrupt a step with a boundary timer and abort its job', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('interrupting');
      const slow = await host.takeJob(runId);

      // when
      await host.completeJob(runId, {}, 'other');

      // then
      const run = await host.waitForEnd(runId);
      expect(countSteps(run)).to.deep.equal({ start: 1, slow: 1, late: 1, other: 1, noted: 1 });
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
      const runId = await host.startRun('cycle');
      const slow = await host.takeJob(runId);

      // when
      for (let count = 0; count < 3; count += 1) await host.completeJob(runId, {}, 'other');
      // A timer that starts later fires after any further repetition.
      await host.waitForEnd(await host.startRun('computed', { pause: 'PT0.4S' }));
      slow.complete();

      // then
      expect(countSteps(await host.waitForEnd(runId))).to.include({ late: 3, noted: 3 });
      expect(await host.countEvents(runId, 'timer.fired')).to.equal(3);
    });

    it('should not fire the timer of a step that has ended or of a cancelled run', async () => {
      // given
      const host = getHost();
      const [completed, cancelled] = [
        await host.startRun('in-time'),
        await host.startRun('computed', { pause: 'PT0.3S' }),
      ];

      // when
      await host.completeJob(completed);
      await host.operator.cancelRun({ runId: cancelled, body: { reason: 'no longer needed' } });
      await host.waitForEnd(await host.startRun('computed', { pause: 'PT0.4S' }));

      // then
      expect(countSteps(await host.waitForEnd(completed))).to.deep.equal({ start: 1, slow: 1, end: 1 });
      for (const runId of [completed, cancelled]) expect(await host.countEvents(runId, 'timer.fired')).to.equal(0);
    });

    it('should continue on the path of the first event after an event-based gateway', async () => {
      // given
      const host = getHost();
      const answered = await host.startRun('race', { key: 'answered', limit: 'PT2H' });
      const expired = await host.startRun('race', { key: 'expired', limit: 'PT0.2S' });
      const send = (correlationKey: string) =>
        host.engine.correlateMessage({ context: CONTEXT, messageName: 'race.answer', correlationKey, payload: {} });

      // when
      await host.waitForEnd(expired);
      const [first, late] = [await send('answered'), await send('expired')];

      // then
      expect([first.runIds, late.runIds]).to.deep.equal([[answered], []]);
      expect((await host.waitForEnd(answered)).steps.at(-1)).to.include({ elementId: 'answered' });
      expect((await host.waitForEnd(expired)).steps.at(-1)).to.include({ elementId: 'expired' });
    });

    it('should start one run for a date, and one for each repetition of a cycle', async () => {
      // given
      const host = getHost();
      const deploy = (id: string, definition: string) =>
        host.host.deploy(sequence(id, startEvent('start', definition), serviceTask('step', 'work', 1), END));

      // when
      await deploy('at-date', timer('timeDate', PAST));
      await deploy('repeated', timer('timeCycle', 'R3/PT0.1S'));

      // then
      await waitUntil('all runs have started', async () => {
        const [dates, repetitions] = [await host.listRunIds('at-date'), await host.listRunIds('repeated')];
        return dates.length === 1 && repetitions.length === 3;
      });
      expect(await host.storage.nextStartTimerAt()).to.equal(null);
      const runIds = [...(await host.listRunIds('at-date')), ...(await host.listRunIds('repeated'))];
      for (const runId of runIds) await host.completeJob(runId);
      for (const runId of runIds) expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });
  });
}
