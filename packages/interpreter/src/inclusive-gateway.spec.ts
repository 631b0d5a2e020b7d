import { expect } from 'chai';
import type { WorkflowGraph } from '@countersign/model';
import { buildTestGraph, value, jobNode, jobNodes, type NodeSketch } from './build-test-graph.spec.support.js';
import { TestRun, user } from './interpreter.spec.support.js';

const start: NodeSketch = { id: 'start', kind: 'startEvent' };
const end: NodeSketch = { id: 'end', kind: 'endEvent' };
const inclusiveGateway = (id: string): NodeSketch => ({ id, kind: 'inclusiveGateway' });
const parallelGateway = (id: string): NodeSketch => ({ id, kind: 'parallelGateway' });
const exclusiveGateway = (id: string): NodeSketch => ({ id, kind: 'exclusiveGateway' });

function startRun(graph: WorkflowGraph, variables = {}): TestRun {
  const run = new TestRun(graph);
  run.start(variables);
  return run;
}

describe('advance(): inclusive join', () => {
  const structuredGraph = buildTestGraph(
    [start, inclusiveGateway('split'), ...jobNodes('a', 'b', 'c'), inclusiveGateway('join'), jobNode('after'), end],
    [
      'start > split',
      'split > a: x > 0',
      'split > b: x > 1',
      'split > c: default',
      'a > join',
      'b > join',
      'c > join',
      'join > after',
      'after > end',
    ],
  );

  it('should wait for all branches that were taken, and for no other branch', () => {
    // given
    const run = startRun(structuredGraph, { x: 2 });
    expect(run.tokens()).to.deep.equal(['a', 'b']);

    // when
    run.complete('a');

    // then
    expect(run.tokens()).to.deep.equal(['b']);
    run.complete('b');
    expect(run.tokens()).to.deep.equal(['after']);
    run.complete('after');
    expect(run.state?.outcome).to.equal('completed');
    expect(run.completedElementIds().filter((id) => id === 'join')).to.have.length(1);
    expect(run.state?.instances[1]?.joins).to.equal(undefined);
  });

  it('should pass immediately if only one branch was taken', () => {
    const run = startRun(structuredGraph, { x: 0 });
    run.complete('c');
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should wait for a token before a gateway, and fire when the token takes another flow', () => {
    // given: b may lead to the join or to a separate end event
    const graph = buildTestGraph(
      [
        start,
        parallelGateway('fork'),
        ...jobNodes('a', 'b', 'after'),
        exclusiveGateway('choice'),
        inclusiveGateway('join'),
        { ...end },
        { id: 'other', kind: 'endEvent' },
      ],
      [
        'start > fork',
        'fork > a',
        'fork > b',
        'a > join',
        'b > choice',
        'choice > join: x',
        'choice > other: default',
        'join > after',
        'after > end',
      ],
    );
    const run = startRun(graph, { x: false });
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['b']);

    // when
    run.complete('b');

    // then
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should not wait for a token that can only arrive on a flow that already has a token', () => {
    // given: both tasks lead to the same flow of the join through a merge
    const graph = buildTestGraph(
      [
        start,
        parallelGateway('fork'),
        ...jobNodes('a', 'b', 'c', 'after'),
        exclusiveGateway('merge'),
        exclusiveGateway('choice'),
        inclusiveGateway('join'),
      ],
      [
        'start > choice',
        'choice > fork: x',
        'choice > c: default',
        'fork > a',
        'fork > b',
        'a > merge',
        'b > merge',
        'merge > join',
        'c > join',
        'join > after',
      ],
    );
    const run = startRun(graph, { x: true });

    // when
    run.complete('a');

    // then
    expect(run.tokens()).to.have.members(['b', 'after']);
    run.complete('b');
    expect(run.tokens()).to.deep.equal(['after', 'after']);
  });

  it('should not wait for itself in a loop', () => {
    const graph = buildTestGraph(
      [start, inclusiveGateway('head'), jobNode('a'), exclusiveGateway('again'), end],
      ['start > head', 'head > a', 'a > again', 'again > head: n < 2', 'again > end: default'],
    );
    const run = startRun(graph, { n: 1 });
    expect(run.tokens()).to.deep.equal(['a']);
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['a']);
    run.complete('a', { n: 2 });
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should ignore paths that lead through the gateway itself', () => {
    // given: a token after the join can return only through the join
    const graph = buildTestGraph(
      [
        start,
        parallelGateway('fork'),
        ...jobNodes('a', 'b'),
        inclusiveGateway('join'),
        jobNode('after'),
        exclusiveGateway('again'),
        end,
      ],
      [
        'start > fork',
        'fork > a',
        'fork > b',
        'a > join',
        'b > join',
        'join > after',
        'after > again',
        'again > a: more',
        'again > end: default',
      ],
    );
    const run = startRun(graph, { more: true });
    run.complete('a');
    run.complete('b');
    expect(run.tokens()).to.deep.equal(['after']);

    // when: only a is completed again
    run.complete('after');
    run.complete('a', { more: false });

    // then
    expect(run.tokens()).to.deep.equal(['after']);
    run.complete('after');
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should consume one token per flow, and keep the remaining tokens for the next activation', () => {
    // given: two tokens arrive from a1 and a2 before one arrives from b
    const graph = buildTestGraph(
      [
        start,
        parallelGateway('fork'),
        ...jobNodes('a1', 'a2', 'b', 'after'),
        exclusiveGateway('merge'),
        inclusiveGateway('join'),
      ],
      [
        'start > fork',
        'fork > a1',
        'fork > a2',
        'fork > b',
        'a1 > merge',
        'a2 > merge',
        'merge > join',
        'b > join',
        'join > after',
      ],
    );
    const run = startRun(graph);
    run.complete('a1');
    run.complete('a2');
    expect(run.state?.instances[1]?.joins).to.deep.equal({ join: { merge_join: 2 } });

    // when
    run.complete('b');

    // then: the first pass consumes a token of each flow, the second pass has no more tokens to wait for
    expect(run.tokens()).to.deep.equal(['after', 'after']);
    expect(run.completedElementIds().filter((id) => id === 'join')).to.have.length(2);
  });

  it('should wait for a token that waits at another join', () => {
    const graph = buildTestGraph(
      [
        start,
        parallelGateway('fork'),
        ...jobNodes('a', 'b', 'c'),
        parallelGateway('inner'),
        inclusiveGateway('join'),
        jobNode('after'),
      ],
      [
        'start > fork',
        'fork > a',
        'fork > b',
        'fork > c',
        'b > inner',
        'c > inner',
        'a > join',
        'inner > join',
        'join > after',
      ],
    );
    const run = startRun(graph);
    run.complete('b');
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['c']);
    run.complete('c');
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should fire joins one at a time, in document order', () => {
    // given: two joins in a row could both fire, but the token of the first join must still reach the second
    const graph = buildTestGraph(
      [
        start,
        parallelGateway('fork'),
        ...jobNodes('a', 'b', 'c'),
        inclusiveGateway('first'),
        inclusiveGateway('second'),
        jobNode('after'),
      ],
      [
        'start > fork',
        'fork > a',
        'fork > b',
        'fork > c',
        'a > first',
        'b > first',
        'first > second',
        'c > second',
        'second > after',
      ],
    );
    const run = startRun(graph);
    run.complete('c');
    run.complete('a');
    run.complete('b');
    expect(run.completedElementIds().filter((id) => id === 'first' || id === 'second')).to.deep.equal([
      'first',
      'second',
    ]);
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should wait while a boundary event of an activity can still lead to the join', () => {
    const timer = { kind: 'timer', timer: 'duration', value: { literal: 'PT1H' } };
    const graph = buildTestGraph(
      [
        start,
        parallelGateway('fork'),
        ...jobNodes('a', 'b', 'after'),
        inclusiveGateway('join'),
        end,
        { id: 'late', kind: 'boundaryEvent', attachedTo: 'b', interrupting: true, triggers: [timer] },
      ],
      ['start > fork', 'fork > a', 'fork > b', 'a > join', 'b > end', 'late > join', 'join > after'],
    );
    const run = startRun(graph);
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['b']);

    // when
    run.do({ type: 'timer.fire', actor: user('clock'), timerId: run.wait('b', 'timer').timerId });

    // then
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.completedElementIds().filter((id) => id === 'join')).to.have.length(1);
  });

  it('should follow a link from its throw event to its catch event', () => {
    const graph = buildTestGraph(
      [
        start,
        parallelGateway('fork'),
        ...jobNodes('a', 'b', 'after'),
        { id: 'go', kind: 'linkThrow', targetId: 'come' },
        { id: 'come', kind: 'passTask', type: 'intermediateCatchEvent' },
        inclusiveGateway('join'),
      ],
      ['start > fork', 'fork > a', 'fork > b', 'a > join', 'b > go', 'come > join', 'join > after'],
    );
    const run = startRun(graph);
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['b']);
    run.complete('b');
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should handle the join of a sub-process separately, and wait for an active sub-process', () => {
    // given
    const graph = buildTestGraph(
      [
        start,
        parallelGateway('fork'),
        jobNode('a'),
        inclusiveGateway('join'),
        jobNode('after'),
        { id: 'sub', kind: 'subProcess', variant: 'embedded' },
        { id: 's', kind: 'startEvent', scopeId: 'sub' },
        { ...parallelGateway('f'), scopeId: 'sub' },
        jobNode('x', { scopeId: 'sub' }),
        jobNode('y', { scopeId: 'sub' }),
        { ...inclusiveGateway('j'), scopeId: 'sub' },
      ],
      [
        'start > fork',
        'fork > a',
        'fork > sub',
        'a > join',
        'sub > join',
        'join > after',
        's > f',
        'f > x',
        'f > y',
        'x > j',
        'y > j',
      ],
    );
    const run = startRun(graph);
    run.complete('a');
    run.complete('x');
    expect(run.tokens()).to.have.members(['sub', 'y']);

    // when
    run.complete('y');

    // then
    expect(run.completedElementIds().filter((id) => id === 'j' || id === 'join')).to.deep.equal(['j', 'join']);
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should raise an incident if no outgoing flow is chosen, and pass on exactly one token on recovery', () => {
    // given
    const graph = buildTestGraph(
      [start, parallelGateway('fork'), ...jobNodes('a', 'b', 'after'), inclusiveGateway('join')],
      ['start > fork', 'fork > a', 'fork > b', 'a > join', 'b > join', 'join > after: ok'],
    );
    const run = startRun(graph, { ok: false });
    run.complete('a');
    run.complete('b');
    expect(run.project().error).to.include({ code: 'no_flow_selected', elementId: 'join' });

    // when
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { ok: true }, comment: null });

    // then
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should drop waiting tokens when the run is cancelled', () => {
    const run = startRun(structuredGraph, { x: 2 });
    run.complete('a');
    run.do({ type: 'cancel', actor: user('op'), reason: null });
    expect(run.state).to.include({ outcome: 'cancelled' });
    expect(run.state?.instances[1]?.joins).to.equal(undefined);
  });

  it('should pass a thousand consecutive joins in one command', () => {
    // given
    const count = 1_000;
    const nodes: NodeSketch[] = [start];
    const arrows = ['start > s0'];
    for (let i = 0; i < count; i += 1) {
      nodes.push(
        inclusiveGateway(`s${i}`),
        { id: `a${i}`, kind: 'passTask' },
        { id: `b${i}`, kind: 'passTask' },
        inclusiveGateway(`j${i}`),
      );
      arrows.push(
        `s${i} > a${i}: true`,
        `s${i} > b${i}: true`,
        `a${i} > j${i}`,
        `b${i} > j${i}`,
        `j${i} > ${i + 1 < count ? `s${i + 1}` : 'end'}`,
      );
    }
    nodes.push({ id: 'end', kind: 'endEvent' });

    // when
    const run = startRun(buildTestGraph(nodes, arrows));

    // then
    expect(run.state?.outcome).to.equal('completed');
    expect(run.completedElementIds().filter((id) => id.startsWith('j'))).to.have.length(count);
  });

  it('should evaluate the conditions of a split with the mapped output of the preceding job', () => {
    const graph = buildTestGraph(
      [
        start,
        jobNode('a', { outputs: [{ source: value('n * 2'), target: ['x'] }] }),
        inclusiveGateway('split'),
        ...jobNodes('b', 'c'),
      ],
      ['start > a', 'a > split', 'split > b: x > 1', 'split > c: x > 3'],
    );
    const run = startRun(graph);
    run.complete('a', { n: 2 });
    expect(run.tokens()).to.deep.equal(['b', 'c']);
  });
});
