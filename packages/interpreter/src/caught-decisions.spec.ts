import { expect } from 'chai';
import { approval, end, flows, job, start, TestRun } from './interpreter.spec.support.js';

const boundaryEvent = (id: string, attachedTo: string, code?: string): string =>
  `<bpmn:boundaryEvent id="${id}" attachedToRef="${attachedTo}"><bpmn:errorEventDefinition ${code === undefined ? '' : `errorRef="${code}"`}/></bpmn:boundaryEvent>${job(`${id}_work`)}<bpmn:endEvent id="${id}_end"/>${flows(`${id} > ${id}_work`, `${id}_work > ${id}_end`)}`;

/**
 * Starts a run with an approval. `compileGraph` adds each error that an event references, with its id as its error
 * code.
 */
async function startWithBoundaryEvents(...events: string[]): Promise<TestRun> {
  const run = await TestRun.of(start + approval('ask') + events.join('') + end + flows('start > ask', 'ask > end'));
  run.start();
  return run;
}

describe('advance(): approval decisions caught by boundary events', () => {
  for (const [decision, code, comment] of [
    ['reject', 'approval.rejected', null],
    ['request_changes', 'approval.changesRequested', 'Shorter.'],
  ] as const) {
    it(`should continue after a boundary event for ${code}, with the decision as a variable`, async () => {
      // given
      const run = await startWithBoundaryEvents(boundaryEvent('caught', 'ask', code));

      // when
      const { refusal } = run.vote('ask', decision, undefined, comment);

      // then
      expect(refusal).to.equal(null);
      expect(run.tokens()).to.deep.equal(['caught_work']);
      expect(run.variables()['approval']).to.deep.include({ decision, comment, decidedBy: 'boss', round: 1 });
      run.complete('caught_work');
      expect(run.state?.outcome).to.equal('completed');
    });
  }

  it('should catch a rejection at the boundary of the surrounding sub-process', async () => {
    const inner = `<bpmn:subProcess id="sub"><bpmn:startEvent id="s"/>${approval('ask')}<bpmn:endEvent id="e"/>${flows('s > ask', 'ask > e')}</bpmn:subProcess>`;
    const run = await TestRun.of(
      start + inner + boundaryEvent('caught', 'sub', 'approval.rejected') + end + flows('start > sub', 'sub > end'),
    );
    run.start();
    run.vote('ask', 'reject');
    expect(run.tokens()).to.deep.equal(['caught_work']);
  });

  it('should not catch a rejection at an error boundary event without an error code', async () => {
    const run = await startWithBoundaryEvents(boundaryEvent('any', 'ask'));
    run.vote('ask', 'reject');
    expect(run.state?.outcome).to.equal('rejected');
  });

  it('should not catch an approval decision at the boundary event for another decision', async () => {
    const run = await startWithBoundaryEvents(boundaryEvent('caught', 'ask', 'approval.changesRequested'));
    run.vote('ask', 'reject');
    expect(run.state?.outcome).to.equal('rejected');
    const otherRun = await startWithBoundaryEvents(boundaryEvent('caught', 'ask', 'approval.rejected'));
    expect(otherRun.vote('ask', 'request_changes', undefined, 'Shorter.').refusal?.code).to.equal(
      'rework_not_possible',
    );
  });
});
