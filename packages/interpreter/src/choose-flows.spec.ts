import { expect } from 'chai';
import { buildTestGraph, jobNodes, type NodeSketch } from './build-test-graph.spec.support.js';
import { TestRun, user } from './interpreter.spec.support.js';

const start: NodeSketch = { id: 'start', kind: 'startEvent' };

/** Starts a run in which a token arrives at the node `n`, which has the given outgoing flows. */
function startAtNode(node: Omit<NodeSketch, 'id'>, flows: readonly string[], variables = {}): TestRun {
  const run = new TestRun(
    buildTestGraph([start, { id: 'n', ...node } as NodeSketch, ...jobNodes('a', 'b', 'c')], ['start > n', ...flows]),
  );
  run.start(variables);
  return run;
}

describe('chooseFlows()', () => {
  const conditionalFlows = ['n > a: x > 1', 'n > b: x > 2', 'n > c: default'];

  it('should choose all flows of an inclusive gateway whose condition is true, in document order', () => {
    const gateway = { kind: 'inclusiveGateway' } as const;
    expect(startAtNode(gateway, conditionalFlows, { x: 3 }).tokens()).to.deep.equal(['a', 'b']);
    expect(startAtNode(gateway, conditionalFlows, { x: 2 }).tokens()).to.deep.equal(['a']);
  });

  it('should choose the default flow of an inclusive gateway only if no condition is true', () => {
    const gateway = { kind: 'inclusiveGateway' } as const;
    expect(startAtNode(gateway, conditionalFlows, { x: 0 }).tokens()).to.deep.equal(['c']);
    expect(startAtNode(gateway, ['n > a', 'n > c: default']).tokens()).to.deep.equal(['a']);
  });

  it('should raise an incident if no flow of an inclusive gateway is chosen, and choose again on recovery', () => {
    // given
    const run = startAtNode({ kind: 'inclusiveGateway' }, ['n > a: x = 1', 'n > b: x = 2'], { x: 0 });
    expect(run.project().error).to.include({ code: 'no_flow_selected', elementId: 'n' });

    // when
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { x: 2 }, comment: null });

    // then
    expect(run.tokens()).to.deep.equal(['b']);
  });

  it('should raise an incident if a condition is not boolean, even if an earlier condition is true', () => {
    const run = startAtNode({ kind: 'inclusiveGateway' }, ['n > a: x > 1', 'n > b: "yes"'], { x: 3 });
    expect(run.project().error?.code).to.equal('condition_not_boolean');
    expect(run.tokens()).to.deep.equal(['n']);
  });

  it('should choose every flow of an activity that has no condition or a true one', () => {
    const task = { kind: 'passTask' } as const;
    expect(startAtNode(task, ['n > a', 'n > b: x = 1', 'n > c: x = 2'], { x: 1 }).tokens()).to.deep.equal(['a', 'b']);
    expect(startAtNode(task, ['n > a', 'n > b: x = 1', 'n > c: x = 2'], { x: 0 }).tokens()).to.deep.equal(['a']);
  });

  it('should add the default flow of an activity to its unconditional flows if no condition is true', () => {
    const task = { kind: 'passTask' } as const;
    expect(startAtNode(task, ['n > a', 'n > b: x = 1', 'n > c: default'], { x: 0 }).tokens()).to.deep.equal(['a', 'c']);
    expect(startAtNode(task, ['n > a', 'n > b: x = 1', 'n > c: default'], { x: 1 }).tokens()).to.deep.equal(['a', 'b']);
  });

  it('should raise an incident if no flow of an activity is chosen', () => {
    const run = startAtNode({ kind: 'passTask' }, ['n > a: x = 1', 'n > b: x = 2'], { x: 0 });
    expect(run.project().error).to.deep.include({ code: 'no_flow_selected', elementId: 'n' });
    expect(run.project().error?.message).to.contain('manualTask "n"');
  });

  it('should end a token at a node without outgoing flows', () => {
    expect(startAtNode({ kind: 'passTask' }, []).state?.outcome).to.equal('completed');
  });
});
