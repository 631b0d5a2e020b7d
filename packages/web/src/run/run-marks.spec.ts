import { expect } from 'chai';
import { processFrom } from './model-index.spec.support.js';
import { markRun } from './run-marks.js';
import { aStep, aWait, moment } from './run-page.spec.support.js';
import { findSources } from './steps/step-sources.js';

const NONE = { waitingFor: [], map: undefined, sources: undefined } as const;

describe('marks of a run on its diagram', () => {
  it('should mark each element with its most urgent status', () => {
    // given
    const steps = [
      aStep('done'),
      aStep('busy', { stepId: '2', status: 'completed' }),
      aStep('busy', { stepId: '3', status: 'active' }),
      aStep('mixed', { stepId: '4', status: 'waiting' }),
      aStep('mixed', { stepId: '5', status: 'failed' }),
      aStep('stopped', { status: 'cancelled' }),
    ];

    // when
    const { marks, badges } = markRun({ ...NONE, steps });

    // then
    expect([...marks]).to.deep.equal([
      ['done', 'cs-done'],
      ['busy', 'cs-active'],
      ['mixed', 'cs-failed'],
      ['stopped', 'cs-cancelled'],
    ]);
    const tokens = badges
      .filter(({ position }) => position === 'bottom-left')
      .map(({ elementId, text, className, title }) => [elementId, text, className, title]);
    expect(tokens).to.deep.equal([
      ['busy', '1', 'cs-token cs-active', '1 step active'],
      ['mixed', '2', 'cs-token cs-failed', '1 step failed, 1 step waiting'],
    ]);
  });

  it('should show how often an element was entered and how long it took', () => {
    // given
    const steps = [
      aStep('work', { completedAt: moment(2_000) }),
      aStep('work', { stepId: '2', startedAt: moment(5_000), completedAt: moment(6_500) }),
      aStep('gate', { type: 'exclusiveGateway' }),
    ];

    // when
    const { badges } = markRun({ ...NONE, steps });

    // then
    expect(badges.map(({ elementId, text, title }) => [elementId, text, title])).to.deep.equal([
      ['work', '×2', 'Entered 2 times'],
      ['work', '1.5 s', 'Took 1.5 s the last time, 3.5 s for all 2 times'],
    ]);
  });

  it('should count the loop instances and not the loop itself', () => {
    // given
    const steps = [
      aStep('each', { stepId: 'body', type: 'multiInstanceBody', status: 'active' }),
      aStep('each', { stepId: '1' }),
      aStep('each', { stepId: '2' }),
      aStep('each', { stepId: '3', status: 'waiting' }),
    ];

    // when
    const { marks, badges } = markRun({ ...NONE, steps });

    // then
    expect(marks.get('each')).to.equal('cs-waiting');
    expect(badges.map(({ text, title }) => [text, title])).to.deep.equal([
      ['1', '1 step waiting'],
      ['2 of 3', '2 of 3 loop instances started so far are done'],
    ]);
    expect(markRun({ ...NONE, steps: steps.slice(0, 1) }).marks.get('each')).to.equal('cs-active');
    expect(
      markRun({ ...NONE, steps: [aStep('each', { type: 'multiInstanceBody' })] }).marks.get('each'),
      'over nothing',
    ).to.equal('cs-done');
    expect(
      markRun({ ...NONE, steps: [aStep('each', { type: 'multiInstanceBody', status: 'failed' })] }).marks.get('each'),
    ).to.equal('cs-failed');
  });

  it('should mark waiting boundary events, compensation handlers and taken flows', async () => {
    // given
    const map = await processFrom(
      '<bpmn:startEvent id="start" /><bpmn:task id="a" /><bpmn:boundaryEvent id="late" attachedToRef="a" /><bpmn:task id="undo" isForCompensation="true" /><bpmn:endEvent id="end" />',
      'start > a',
      'a > end',
    );
    const steps = [aStep('start', { type: 'startEvent' }), aStep('a', { status: 'waiting' }), aStep('undo')];

    // when
    const { marks, badges } = markRun({
      steps,
      map,
      sources: findSources(steps, map),
      waitingFor: [aWait('late', { kind: 'timer', stepId: 'a' }), aWait('elsewhere', { kind: 'approval' })],
    });

    // then
    expect([...marks]).to.deep.equal([
      ['start', 'cs-done'],
      ['a', 'cs-waiting'],
      ['undo', 'cs-done'],
      ['late', 'cs-waiting'],
      ['flow-1', 'cs-taken'],
    ]);
    expect(badges.find(({ elementId }) => elementId === 'undo')?.title).to.equal('Compensated 1 time');
    const told = markRun({
      steps,
      map,
      sources: undefined,
      waitingFor: [],
      takenFlows: [{ flowId: 'flow-2', count: 1 }],
    });
    expect([...told.marks.keys()])
      .to.include('flow-2')
      .and.not.include('flow-1');
  });
});
