import { expect } from 'chai';
import type { MultiInstanceLoop, WorkflowGraph } from '@countersign/model';
import {
  feel,
  buildTestGraph,
  mapping,
  value,
  jobNode,
  jobNodes,
  type NodeSketch,
} from './build-test-graph.spec.support.js';
import { allow, TestRun, user } from './interpreter.spec.support.js';

const start: NodeSketch = { id: 'start', kind: 'startEvent' };

const multiInstanceLoop = (overrides: Partial<MultiInstanceLoop> = {}): MultiInstanceLoop => ({
  kind: 'multiInstance',
  sequential: false,
  inputCollection: feel('items'),
  inputElement: 'item',
  outputCollection: 'results',
  outputElement: feel('result'),
  cardinality: null,
  completionCondition: null,
  ...overrides,
});

/** Starts a run of the process `start > a (with the loop) > after`. */
function startRun(loop: MultiInstanceLoop, variables: object = { items: ['x', 'y', 'z'] }, task: object = {}): TestRun {
  const run = new TestRun(
    buildTestGraph([start, jobNode('a', { loop, ...task }), jobNode('after')], ['start > a', 'a > after']),
  );
  run.start(variables as never);
  return run;
}

const scriptNode = (id: string, expression: string, overrides: object = {}): NodeSketch => ({
  id,
  kind: 'scriptTask',
  expression: feel(expression),
  resultVariable: 'result',
  ...overrides,
});

/** Returns the loop instances, in order. */
const listLoopInstances = (run: TestRun): Record<string, unknown>[] =>
  Object.values(run.state?.instances ?? {}).filter((each) => each.loopCounter !== undefined) as never;

/** Completes the job of the loop instance with the given counter. */
function completeLoopInstance(run: TestRun, counter: number, output: object = {}): void {
  const loopInstance = Object.values(run.state?.instances ?? {}).find((each) => each.loopCounter === counter);
  const wait = loopInstance?.waits?.find((each) => each.kind === 'job');
  if (wait?.kind !== 'job') throw new Error(`Loop instance ${counter} has no job.`);
  run.do({ type: 'job.complete', actor: user('w'), jobId: wait.jobId, output: output as never, agentName: null });
}

const startedTypes = (run: TestRun): unknown[] =>
  run.events
    .filter((event) => event.type === 'step.started' && event.elementId === 'a')
    .map((event) => event.data['type']);

describe('advance(): multi-instance activities', () => {
  it('should start all instances at the same time and in order, each with its item and its loopCounter', () => {
    const run = startRun(multiInstanceLoop());
    expect(run.tokens()).to.deep.equal(['a', 'a', 'a', 'a']);
    expect(listLoopInstances(run).map((instance) => instance['variables'])).to.deep.equal([
      { result: null, item: 'x', loopCounter: 1 },
      { result: null, item: 'y', loopCounter: 2 },
      { result: null, item: 'z', loopCounter: 3 },
    ]);
    expect(startedTypes(run)).to.deep.equal(['multiInstanceBody', 'serviceTask', 'serviceTask', 'serviceTask']);
    expect(run.project()).to.include({ status: 'active', currentStep: 'a' });
  });

  it('should collect the outputs by index in any order of completion, and leave the activity once', () => {
    // given
    const run = startRun(multiInstanceLoop());

    // when
    completeLoopInstance(run, 3, { result: 'Z' });
    completeLoopInstance(run, 1, { result: 'X' });
    expect(run.variables()).not.to.have.property('results');
    expect(run.tokens()).to.deep.equal(['a', 'a']);
    completeLoopInstance(run, 2, { result: 'Y' });

    // then
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.variables()).to.deep.equal({ items: ['x', 'y', 'z'], results: ['X', 'Y', 'Z'] });
    expect(run.completedElementIds().filter((id) => id === 'a')).to.have.length(4);
  });

  it('should run the instances of a sequential activity one after the other', () => {
    const run = startRun(multiInstanceLoop({ sequential: true }));
    for (const [counter, item] of [
      [1, 'x'],
      [2, 'y'],
      [3, 'z'],
    ] as const) {
      expect(run.tokens()).to.deep.equal(['a', 'a']);
      expect(listLoopInstances(run)[0]?.['variables']).to.include({ item, loopCounter: counter });
      completeLoopInstance(run, counter, { result: `${item}${counter}` });
    }
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.variables()['results']).to.deep.equal(['x1', 'y2', 'z3']);
  });

  it('should complete immediately with an empty output collection if there are no items', () => {
    for (const sequential of [true, false]) {
      const run = startRun(multiInstanceLoop({ sequential }), { items: [] });
      expect(run.tokens()).to.deep.equal(['after']);
      expect(run.variables()['results']).to.deep.equal([]);
      expect(startedTypes(run)).to.deep.equal(['multiInstanceBody']);
    }
  });

  it('should not split a surrogate pair when the error message quotes an invalid collection', () => {
    for (const prefix of ['', 'a']) {
      const run = startRun(multiInstanceLoop(), { items: prefix + '😀'.repeat(200) });
      expect(run.project().error?.message).to.satisfy(
        (message: string) => message.isWellFormed() && message.length < 400,
      );
    }
  });

  it('should raise an incident if the items are not a list, and start the instances on recovery', () => {
    // given
    const run = startRun(multiInstanceLoop(), { items: 'x' });
    expect(run.project().error).to.include({ code: 'input_collection_invalid', elementId: 'a' });
    expect(run.requests).to.deep.equal([]);

    // when
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { items: [1, 2] }, comment: null });

    // then
    expect(run.tokens()).to.deep.equal(['a', 'a', 'a']);
    expect(startedTypes(run)).to.deep.equal(['multiInstanceBody', 'multiInstanceBody', 'serviceTask', 'serviceTask']);
  });

  it('should keep local variables in the instance, and propagate other results as Zeebe does', () => {
    const run = startRun(multiInstanceLoop({ sequential: true }), { items: [1] });
    completeLoopInstance(run, 1, { result: 10, item: 'changed', seen: true });
    expect(run.variables()).to.deep.equal({ items: [1], results: [10], seen: true });
  });

  it('should apply the mappings of the activity in each instance', () => {
    // given: an output element that reads the mapped result inside the loop instance
    const task = {
      inputs: [mapping('item * 2', 'double')],
      outputs: [mapping('answer + double', 'result'), mapping('answer', 'last')],
    };
    const run = startRun(multiInstanceLoop(), { items: [1, 2] }, task);
    expect(
      listLoopInstances(run).map((instance) => (instance['variables'] as Record<string, unknown>)['double']),
    ).to.deep.equal([2, 4]);

    // when
    completeLoopInstance(run, 1, { answer: 100 });
    completeLoopInstance(run, 2, { answer: 200 });

    // then
    expect(run.variables()).to.deep.equal({ items: [1, 2], results: [102, 204], last: 200 });
  });

  it('should expose the partial output collection to later instances', () => {
    const run = startRun(
      multiInstanceLoop({ sequential: true }),
      { items: [1, 2, 3] },
      {
        kind: 'scriptTask',
        type: 'scriptTask',
        expression: feel('count(results[item != null]) + item'),
        resultVariable: 'result',
      },
    );
    expect(run.variables()['results']).to.deep.equal([1, 3, 5]);
  });

  it('should end early when the completion condition is true, and cancel the active instances', () => {
    // given
    const completionCondition = feel(
      'numberOfCompletedInstances >= 2 and numberOfActiveInstances = 1 and numberOfInstances = 3 and numberOfTerminatedInstances = 0',
    );
    const run = startRun(multiInstanceLoop({ completionCondition }));
    completeLoopInstance(run, 2, { result: 'Y' });
    expect(run.tokens()).to.have.length(3);

    // when
    completeLoopInstance(run, 3, { result: 'Z' });

    // then
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.variables()['results']).to.deep.equal([null, 'Y', 'Z']);
    expect(run.events.filter((event) => event.type === 'step.cancelled')).to.have.length(1);
    expect(run.requests.filter((request) => request.type === 'job.withdraw')).to.have.length(3);
  });

  it('should start no further instance when the completion condition of a sequential activity is true', () => {
    const run = startRun(multiInstanceLoop({ sequential: true, completionCondition: feel('result = "stop"') }));
    completeLoopInstance(run, 1, { result: 'go' });
    completeLoopInstance(run, 2, { result: 'stop' });
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.variables()['results']).to.deep.equal(['go', 'stop', null]);
  });

  it('should raise an incident on the instance whose completion condition fails, and re-evaluate on recovery', () => {
    // given
    const run = startRun(multiInstanceLoop({ completionCondition: feel('enough') }), { items: [1, 2] });
    completeLoopInstance(run, 1, { result: 'X' });
    expect(run.project().error).to.include({ code: 'condition_not_boolean', elementId: 'a' });
    expect(run.tokens()).to.have.length(3);

    // when
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { enough: false }, comment: null });
    completeLoopInstance(run, 2, { result: 'Y' });

    // then
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.variables()['results']).to.deep.equal(['X', 'Y']);
  });

  it('should recover only the instance whose job failed', () => {
    const run = startRun(multiInstanceLoop(), { items: [1, 2] });
    run.fail('a', false);
    expect(run.project()).to.include({ incidents: 1, status: 'active' });
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: null, comment: null });
    expect(listLoopInstances(run).map((instance) => instance['attempt'])).to.deep.equal([2, 1]);
    completeLoopInstance(run, 1, { result: 1 });
    completeLoopInstance(run, 2, { result: 2 });
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should start as many instances as loopCardinality defines if there is no collection', () => {
    const noCollections = { inputCollection: null, inputElement: null, outputCollection: null, outputElement: null };
    const run = startRun(multiInstanceLoop({ ...noCollections, cardinality: value('n') }), { n: 2 });
    expect(listLoopInstances(run).map((instance) => instance['variables'])).to.deep.equal([
      { loopCounter: 1 },
      { loopCounter: 2 },
    ]);
    for (const n of [-1, 1.5, 'many', null]) {
      expect(
        startRun(multiInstanceLoop({ ...noCollections, cardinality: value('n') }), { n }).project().error?.code,
      ).to.equal('loop_cardinality_invalid');
    }
    expect(startRun(multiInstanceLoop({ ...noCollections, cardinality: { literal: '0' } })).tokens()).to.deep.equal([
      'after',
    ]);
    expect(
      startRun(multiInstanceLoop({ ...noCollections, cardinality: value('1000000000000'), sequential: true })).project()
        .error?.code,
    ).to.equal('loop_too_long');
  });

  it('should evaluate the policy for each instance', () => {
    const seen: unknown[] = [];
    const graph = buildTestGraph(
      [start, jobNode('a', { loop: multiInstanceLoop(), dynamicProperties: { amount: value('item') } })],
      ['start > a'],
    );
    const run = new TestRun(graph);
    run.policy = (request) => {
      seen.push(request.properties['amount']);
      return { ...allow(request), riskLevel: request.properties['amount'] === 2 ? 'high' : 'low' };
    };
    run.start({ items: [1, 2, 3] });
    expect(seen).to.deep.equal([1, 2, 3]);
    expect(run.project().riskLevel).to.equal('high');
  });

  it('should attach boundary events to the activity, not to its instances', () => {
    // given
    const timer = { kind: 'timer', timer: 'duration', value: { literal: 'PT1H' } };
    const graph = buildTestGraph(
      [
        start,
        jobNode('a', { loop: multiInstanceLoop() }),
        jobNode('after'),
        { id: 'late', kind: 'boundaryEvent', attachedTo: 'a', interrupting: true, triggers: [timer] },
        jobNode('escalated'),
      ],
      ['start > a', 'a > after', 'late > escalated'],
    );
    const run = new TestRun(graph);
    run.start({ items: [1, 2, 3] });
    expect(run.requests.filter((request) => request.type === 'timer.arm')).to.have.length(1);

    // when
    run.do({ type: 'timer.fire', actor: user('clock'), timerId: run.wait('a', 'timer').timerId });

    // then
    expect(run.tokens()).to.deep.equal(['escalated']);
    expect(run.requests.filter((request) => request.type === 'job.withdraw')).to.have.length(3);
    expect(run.events.filter((event) => event.type === 'step.cancelled')).to.have.length(4);
  });

  it('should disarm boundary events when the activity completes', () => {
    const timer = { kind: 'timer', timer: 'duration', value: { literal: 'PT1H' } };
    const graph = buildTestGraph(
      [
        start,
        jobNode('a', { loop: multiInstanceLoop() }),
        { id: 'late', kind: 'boundaryEvent', attachedTo: 'a', interrupting: true, triggers: [timer] },
        jobNode('escalated'),
      ],
      ['start > a', 'late > escalated'],
    );
    const run = new TestRun(graph);
    run.start({ items: [1] });
    completeLoopInstance(run, 1, { result: 1 });
    expect(run.requests.filter((request) => request.type === 'timer.disarm')).to.have.length(1);
    expect(run.state?.outcome).to.equal('completed');
  });

  const nestedGraph = (sequential: boolean, inner: NodeSketch[], arrows: string[]): WorkflowGraph =>
    buildTestGraph(
      [
        start,
        { id: 'sub', kind: 'subProcess', variant: 'embedded', loop: multiInstanceLoop({ sequential }) },
        jobNode('after'),
        { id: 's', kind: 'startEvent', scopeId: 'sub' },
        ...inner,
      ],
      ['start > sub', 'sub > after', ...arrows],
    );

  it('should give each instance of a sub-process its own scope', () => {
    // given
    const inner = [scriptNode('double', 'item * 2', { scopeId: 'sub' }), jobNode('check', { scopeId: 'sub' })];
    const run = new TestRun(nestedGraph(false, inner, ['s > double', 'double > check']));
    run.start({ items: [1, 2] });
    expect(run.tokens().filter((id) => id === 'check')).to.have.length(2);

    // when
    run.complete('check');
    run.complete('check');

    // then
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.variables()['results']).to.deep.equal([2, 4]);
    expect(run.variables()).not.to.have.property('result');
  });

  it('should support nested multi-instance activities', () => {
    const inner = [
      scriptNode('double', 'item2 * item', {
        scopeId: 'sub',
        loop: multiInstanceLoop({
          inputCollection: feel('[10, 20]'),
          inputElement: 'item2',
          outputCollection: 'result',
        }),
      }),
    ];
    const run = new TestRun(nestedGraph(true, inner, ['s > double']));
    run.start({ items: [1, 2] });
    expect(run.variables()['results']).to.deep.equal([
      [10, 20],
      [20, 40],
    ]);
    expect(run.variables()).not.to.have.property('result');
  });

  it('should count as one token for a following inclusive join', () => {
    const graph = buildTestGraph(
      [
        start,
        { id: 'fork', kind: 'parallelGateway' },
        jobNode('a', { loop: multiInstanceLoop() }),
        ...jobNodes('b', 'after'),
        { id: 'join', kind: 'inclusiveGateway' },
      ],
      ['start > fork', 'fork > a', 'fork > b', 'a > join', 'b > join', 'join > after'],
    );
    const run = new TestRun(graph);
    run.start({ items: [1, 2] });
    run.complete('b');
    completeLoopInstance(run, 1, { result: 1 });
    expect(run.tokens()).to.deep.equal(['a', 'a']);
    completeLoopInstance(run, 2, { result: 1 });
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should cancel every instance when the run is cancelled', () => {
    const run = startRun(multiInstanceLoop());
    run.do({ type: 'cancel', actor: user('op'), reason: null });
    expect(run.tokens()).to.deep.equal([]);
    expect(run.requests.filter((request) => request.type === 'job.withdraw')).to.have.length(3);
  });

  it('should raise an incident before the first instance if there are more instances than a command may enter', () => {
    const run = startRun(multiInstanceLoop(), { items: Array(10_000).fill(1) });
    expect(run.project().error?.code).to.equal('element_limit_exceeded');
    expect(run.tokens()).to.deep.equal(['a']);
  });

  it('should start and complete a thousand instances in one command', () => {
    const run = startRun(
      multiInstanceLoop(),
      { items: Array.from({ length: 1000 }, (_, index) => index) },
      { kind: 'scriptTask', type: 'scriptTask', expression: feel('item + 1'), resultVariable: 'result' },
    );
    expect(run.tokens()).to.deep.equal(['after']);
    expect((run.variables()['results'] as number[]).slice(-2)).to.deep.equal([999, 1000]);
  });

  it('should produce the same events when the commands are replayed', () => {
    const originalRun = startRun(multiInstanceLoop({ completionCondition: feel('numberOfCompletedInstances = 2') }));
    completeLoopInstance(originalRun, 2, { result: 1 });
    completeLoopInstance(originalRun, 1, { result: 2 });
    const replayedRun = new TestRun(originalRun.graph);
    for (const { command } of originalRun.commands) {
      replayedRun.state = JSON.parse(JSON.stringify(replayedRun.state)) as typeof replayedRun.state;
      replayedRun.do(command);
    }
    expect(replayedRun.events).to.deep.equal(originalRun.events);
    expect(replayedRun.state).to.deep.equal(originalRun.state);
  });
});
