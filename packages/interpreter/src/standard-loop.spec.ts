import { expect } from 'chai';
import type { StandardLoop } from '@countersign/model';
import { feel, buildTestGraph, mapping, value, jobNode, type NodeSketch } from './build-test-graph.spec.support.js';
import { TestRun, user } from './interpreter.spec.support.js';

const start: NodeSketch = { id: 'start', kind: 'startEvent' };

function startRun(loop: Partial<StandardLoop>, variables: object = {}, task: object = {}): TestRun {
  const standardLoop = { kind: 'standard', testBefore: false, condition: null, maximum: null, ...loop };
  const run = new TestRun(
    buildTestGraph(
      [start, jobNode('a', { loop: standardLoop, ...task }), jobNode('after')],
      ['start > a', 'a > after'],
    ),
  );
  run.start(variables as never);
  return run;
}

/** Completes all loop instances, each with its number as the output `n`, and returns how many there were. */
function countInstances(run: TestRun): number {
  let instanceCount = 0;
  while (run.tokens().includes('a') && instanceCount < 20) {
    instanceCount += 1;
    run.complete('a', { n: instanceCount });
  }
  return instanceCount;
}

describe('advance(): standard loops', () => {
  it('should repeat an activity while the condition is true after an iteration', () => {
    expect(countInstances(startRun({ condition: feel('n < 3') }, { n: 0 }))).to.equal(3);
    expect(countInstances(startRun({ condition: feel('false') }))).to.equal(1);
  });

  it('should evaluate the condition before each iteration if testBefore is set', () => {
    expect(countInstances(startRun({ testBefore: true, condition: feel('n < 3') }, { n: 0 }))).to.equal(3);
    const emptyRun = startRun({ testBefore: true, condition: feel('false') });
    expect(emptyRun.tokens()).to.deep.equal(['after']);
  });

  it('should end at the loop maximum even if the condition is still true', () => {
    expect(countInstances(startRun({ condition: feel('true'), maximum: { literal: '4' } }))).to.equal(4);
    expect(countInstances(startRun({ maximum: value('2 + 3') }))).to.equal(5);
    expect(countInstances(startRun({ condition: feel('n < 2'), maximum: { literal: '4' } }))).to.equal(2);
    expect(countInstances(startRun({ maximum: { literal: '0' } }))).to.equal(0);
  });

  it('should set loopCounter in each iteration and in the condition', () => {
    // given
    const run = startRun({ condition: feel('loopCounter < 2') });
    expect(run.events.filter((event) => event.elementId === 'a').map((event) => event.data['type'])).to.deep.equal([
      'standardLoopBody',
      'serviceTask',
    ]);
    const findLoopInstance = (): object =>
      Object.values(run.state?.instances ?? {}).find((each) => each.loopCounter !== undefined) ?? {};
    expect(findLoopInstance()).to.deep.include({ loopCounter: 1, variables: { loopCounter: 1 } });

    // when
    run.complete('a', { x: 1 });

    // then
    expect(findLoopInstance()).to.deep.include({ loopCounter: 2, variables: { loopCounter: 2 } });
    run.complete('a', { x: 2 });
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.variables()).to.deep.equal({ x: 2 });
  });

  it('should map outputs to the surrounding scope, where the condition reads them', () => {
    // given: the job does not change n inside the loop instance
    const mappings = { inputs: [mapping('n', 'n')], outputs: [mapping('n + 1', 'n')] };
    const run = startRun({ condition: feel('n < 2') }, { n: 0 }, mappings);

    // when
    run.complete('a');
    run.complete('a');

    // then
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.variables()).to.deep.equal({ n: 2 });
  });

  it('should raise an incident if the maximum is negative, and start on recovery', () => {
    const run = startRun({ maximum: value('m') }, { m: -1 });
    expect(run.project().error).to.include({ code: 'loop_maximum_invalid', elementId: 'a' });
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { m: 2 }, comment: null });
    expect(countInstances(run)).to.equal(2);
  });

  it('should raise an incident if the condition is not boolean, before or after an iteration', () => {
    const testBeforeRun = startRun({ testBefore: true, condition: feel('n') }, { n: 1 });
    expect(testBeforeRun.project().error?.code).to.equal('condition_not_boolean');
    const testAfterRun = startRun({ condition: feel('n') }, { n: 1 });
    testAfterRun.complete('a');
    expect(testAfterRun.project().error?.code).to.equal('condition_not_boolean');
    testAfterRun.do({ type: 'recover', actor: user('op'), steps: null, variables: { n: false }, comment: null });
    expect(testAfterRun.tokens()).to.deep.equal(['after']);
  });

  it('should stop an endless loop with element_limit_exceeded', () => {
    const loop = { kind: 'standard', testBefore: false, condition: feel('true'), maximum: null };
    const task = { id: 'a', kind: 'scriptTask', expression: feel('1'), resultVariable: 'r', loop } as const;
    const run = new TestRun(buildTestGraph([start, task], ['start > a']));
    run.start();
    expect(run.project().error?.code).to.equal('element_limit_exceeded');
  });
});
