import { expect } from 'chai';
import { indexProcess } from './model-index.spec.support.js';
import { markRun } from './run-marks.js';
import { createStep, createWait, timeAfterStart } from './run-page.spec.support.js';
import { findSources } from './steps/step-sources.js';

const EMPTY_INPUT = { waitingFor: [], modelIndex: undefined, sources: undefined } as const;

describe('markRun', () => {
  it('should mark each element with its most urgent status', () => {
    // given
    const steps = [
      createStep('done'),
      createStep('busy', { stepId: '2', status: 'completed' }),
      createStep('busy', { stepId: '3', status: 'active' }),
      createStep('mixed', { stepId: '4', status: 'waiting' }),
      createStep('mixed', { stepId: '5', status: 'failed' }),
      createStep('stopped', { status: 'cancelled' }),
    ];

    // when
    const { marks, badges } = markRun({ ...EMPTY_INPUT, steps });

    // then
    expect([...marks]).to.deep.equal([
      ['done', 'cs-done'],
      ['busy', 'cs-active'],
      ['mixed', 'cs-failed'],
      ['stopped', 'cs-cancelled'],
    ]);
    const tokenBadges = badges
      .filter(({ position }) => position === 'bottom-left')
      .map(({ elementId, text, className, title }) => [elementId, text, className, title]);
    expect(tokenBadges).to.deep.equal([
      ['busy', '1', 'cs-token cs-active', '1 step active'],
      ['mixed', '2', 'cs-token cs-failed', '1 step failed, 1 step waiting'],
    ]);
  });

  it('should show how often an element was entered and how long it took', () => {
    // given
    const steps = [
      createStep('work', { completedAt: timeAfterStart(2_000) }),
      createStep('work', { stepId: '2', startedAt: timeAfterStart(5_000), completedAt: timeAfterStart(6_500) }),
      createStep('gate', { type: 'exclusiveGateway' }),
    ];

    // when
    const { badges } = markRun({ ...EMPTY_INPUT, steps });

    // then
    expect(badges.map(({ elementId, text, title }) => [elementId, text, title])).to.deep.equal([
      ['work', '×2', 'Entered 2 times'],
      ['work', '1.5 s', 'Last: 1.5 s; total: 3.5 s (2 executions)'],
    ]);
  });

  it('should count the loop instances and not the loop itself', () => {
    // given
    const steps = [
      createStep('each', { stepId: 'body', type: 'multiInstanceBody', status: 'active' }),
      createStep('each', { stepId: '1' }),
      createStep('each', { stepId: '2' }),
      createStep('each', { stepId: '3', status: 'waiting' }),
    ];

    // when
    const { marks, badges } = markRun({ ...EMPTY_INPUT, steps });

    // then
    expect(marks.get('each')).to.equal('cs-waiting');
    expect(badges.map(({ text, title }) => [text, title])).to.deep.equal([
      ['1', '1 step waiting'],
      ['2 of 3', '2 of 3 loop instances started so far are done'],
    ]);
    expect(markRun({ ...EMPTY_INPUT, steps: steps.slice(0, 1) }).marks.get('each')).to.equal('cs-active');
    expect(
      markRun({ ...EMPTY_INPUT, steps: [createStep('each', { type: 'multiInstanceBody' })] }).marks.get('each'),
      'loop over an empty collection',
    ).to.equal('cs-done');
    expect(
      markRun({
        ...EMPTY_INPUT,
        steps: [createStep('each', { type: 'multiInstanceBody', status: 'failed' })],
      }).marks.get('each'),
    ).to.equal('cs-failed');
  });

  it('should mark waiting boundary events, compensation handlers and taken flows', async () => {
    // given
    const modelIndex = await indexProcess(
      '<bpmn:startEvent id="start" /><bpmn:task id="a" /><bpmn:boundaryEvent id="late" attachedToRef="a" /><bpmn:task id="undo" isForCompensation="true" /><bpmn:endEvent id="end" />',
      'start > a',
      'a > end',
    );
    const steps = [
      createStep('start', { type: 'startEvent' }),
      createStep('a', { status: 'waiting' }),
      createStep('undo'),
    ];

    // when
    const { marks, badges } = markRun({
      steps,
      modelIndex,
      sources: findSources(steps, modelIndex),
      waitingFor: [createWait('late', { kind: 'timer', stepId: 'a' }), createWait('elsewhere', { kind: 'approval' })],
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
    const marksFromServerFlows = markRun({
      steps,
      modelIndex,
      sources: undefined,
      waitingFor: [],
      takenFlows: [{ flowId: 'flow-2', count: 1 }],
    });
    expect([...marksFromServerFlows.marks.keys()])
      .to.include('flow-2')
      .and.not.include('flow-1');
  });
});
