import { expect } from 'chai';
import { feel, buildTestGraph, jobNodes, type NodeSketch } from './build-test-graph.spec.support.js';
import { TestRun, user } from './interpreter.spec.support.js';

const start: NodeSketch = { id: 'start', kind: 'startEvent' };
const complexGateway = (id: string, condition: string | null): NodeSketch => ({
  id,
  kind: 'complexGateway',
  activationCondition: condition === null ? null : feel(condition),
});

/** Starts a run that forks to `a`, `b` and `c`, which the complex gateway `g` joins. */
function startRun(condition: string | null, outgoingFlows: readonly string[] = ['g > after'], variables = {}): TestRun {
  const graph = buildTestGraph(
    [
      start,
      { id: 'fork', kind: 'parallelGateway' },
      ...jobNodes('a', 'b', 'c'),
      complexGateway('g', condition),
      ...jobNodes('after', 'other'),
    ],
    ['start > fork', 'fork > a', 'fork > b', 'fork > c', 'a > g', 'b > g', 'c > g', ...outgoingFlows],
  );
  const run = new TestRun(graph);
  run.start(variables);
  return run;
}

const countCompletions = (run: TestRun, id: string): number =>
  run.completedElementIds().filter((each) => each === id).length;
const getRootInstance = (run: TestRun): object => run.state?.instances[1] ?? {};

describe('advance(): complex gateway', () => {
  it('should let every token pass if the gateway has no activation condition', () => {
    const run = startRun(null);
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['b', 'c', 'after']);
    run.complete('b');
    expect(run.tokens()).to.deep.equal(['c', 'after', 'after']);
  });

  it('should fire when the condition on the number of tokens is true, and consume later tokens', () => {
    // given
    const run = startRun('activationCount >= 2');

    // when
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['b', 'c']);
    run.complete('b');

    // then
    expect(run.tokens()).to.deep.equal(['c', 'after']);
    expect(getRootInstance(run)).to.deep.include({ resets: { g: ['a_g', 'b_g'] } });
    run.complete('c');
    expect(run.tokens()).to.deep.equal(['after']);
    expect(getRootInstance(run)).not.to.have.any.keys('resets', 'joins');
    run.complete('after');
    expect(run.state?.outcome).to.equal('completed');
    expect(countCompletions(run, 'g')).to.equal(2);
  });

  it('should evaluate the condition with the variables and the token count of each flow, named by the flow id', () => {
    const run = startRun('a_g > 0 and (b_g > 0 or hurry)', ['g > after'], { hurry: false });
    run.complete('c');
    run.complete('b');
    expect(run.tokens()).to.deep.equal(['a']);
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['after']);
    const hurriedRun = startRun('a_g > 0 and (b_g > 0 or hurry)', ['g > after'], { hurry: true });
    hurriedRun.complete('a');
    expect(hurriedRun.tokens()).to.deep.equal(['b', 'c', 'after']);
  });

  it('should evaluate the condition again when variables have changed', () => {
    // given
    const run = startRun('hurry and activationCount > 0', ['g > after'], { hurry: false });
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['b', 'c']);

    // when: the output of b makes the condition true
    run.complete('b', { hurry: true });

    // then
    expect(run.tokens()).to.deep.equal(['c', 'after']);
  });

  it('should set waitingForStart to true on activation and to false on reset', () => {
    // given
    const run = startRun('activationCount >= 1', ['g > after: waitingForStart', 'g > other: not(waitingForStart)']);

    // when
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['b', 'c', 'after']);
    run.complete('b');
    expect(run.tokens()).to.deep.equal(['c', 'after']);
    run.complete('c');

    // then
    expect(run.tokens()).to.deep.equal(['after', 'other']);
  });

  it('should wait for a new activation after a reset', () => {
    const graph = buildTestGraph(
      [
        start,
        { id: 'head', kind: 'exclusiveGateway' },
        { id: 'fork', kind: 'parallelGateway' },
        ...jobNodes('a', 'b'),
        complexGateway('g', 'activationCount >= 1'),
        ...jobNodes('after'),
      ],
      ['start > head', 'head > fork', 'fork > a', 'fork > b', 'a > g', 'b > g', 'g > after', 'after > head'],
    );
    const run = new TestRun(graph);
    run.start();
    for (const _iteration of [1, 2]) {
      run.complete('b');
      expect(run.tokens()).to.deep.equal(['a', 'after']);
      run.complete('a');
      run.complete('after');
      expect(run.tokens()).to.deep.equal(['a', 'b']);
    }
  });

  it('should reset when no further token can arrive, and let its scope end only afterwards', () => {
    const graph = buildTestGraph(
      [
        start,
        { id: 'x', kind: 'exclusiveGateway' },
        ...jobNodes('a', 'b'),
        complexGateway('g', 'activationCount >= 1'),
        { id: 'end', kind: 'endEvent' },
      ],
      ['start > x', 'x > a: true', 'x > b: default', 'a > g', 'b > g', 'g > end'],
    );
    const run = new TestRun(graph);
    run.start();
    run.complete('a');
    expect(countCompletions(run, 'g')).to.equal(2);
    expect(countCompletions(run, 'end')).to.equal(1);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should raise an incident if the condition is not boolean, and evaluate the condition again on recovery', () => {
    // given
    const run = startRun('n', ['g > after'], { n: 1 });
    run.complete('a');
    expect(run.project().error).to.include({ code: 'condition_not_boolean', elementId: 'g' });
    run.complete('b');
    expect(run.project().incidents).to.equal(1);

    // when: the condition is fixed, but false
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { n: false }, comment: null });

    // then: both tokens continue to wait
    expect(run.tokens()).to.deep.equal(['c']);
    expect(getRootInstance(run)).to.deep.include({ joins: { g: { a_g: 1, b_g: 1 } } });
    run.complete('c', { n: true });
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should raise an incident if no flow is chosen on activation, but not on reset', () => {
    // given
    const run = startRun('activationCount >= 1', ['g > after: waitingForStart and ok'], { ok: false });
    run.complete('a');
    expect(run.project().error?.code).to.equal('no_flow_selected');

    // when
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { ok: true }, comment: null });
    run.complete('b');
    run.complete('c');

    // then
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.project().incidents).to.equal(0);
  });

  it('should drop its waiting tokens and its reset state when the run is cancelled', () => {
    const run = startRun('activationCount >= 1');
    run.complete('a');
    run.do({ type: 'cancel', actor: user('op'), reason: null });
    expect(getRootInstance(run)).not.to.have.any.keys('resets', 'joins');
  });

  for (const sequential of [true, false]) {
    it(`should pass without incoming tokens at the start of an ad-hoc sub-process${sequential ? ' with sequential ordering' : ''}`, () => {
      const adHoc: NodeSketch = {
        id: 's',
        kind: 'adHocSubProcess',
        sequential,
        entries: ['g'],
        completionCondition: null,
        cancelRemainingInstances: true,
      };
      const adHocNodes = [complexGateway('g', 'activationCount >= 1'), ...jobNodes('a')].map((node) => ({
        ...node,
        scopeId: 's',
      }));
      const run = new TestRun(
        buildTestGraph(
          [start, adHoc, ...adHocNodes, { id: 'end', kind: 'endEvent', throws: [] }],
          ['start > s', 'g > a', 's > end'],
        ),
      );
      run.start();
      run.complete('a');
      expect(run.completedElementIds()).to.deep.equal(['start', 'g', 'a', 's', 'end']);
    });
  }
});
