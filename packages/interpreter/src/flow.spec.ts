import { expect } from 'chai';
import { approval, end, flows, job, script, start, T0, TestRun, user } from './interpreter.spec.support.js';
import { seconds } from '@countersign/model/testing';

describe('advance(): tokens and flows', () => {
  it('should run service tasks in sequence to the end', async () => {
    // given
    const run = await TestRun.of(start + job('a') + job('b') + end + flows('start > a', 'a > b', 'b > end'));

    // when
    run.start({ x: 1 });
    run.complete('a', { y: 2 });
    run.complete('b', { x: 3 });

    // then
    expect(run.completedElementIds()).to.deep.equal(['start', 'a', 'b', 'end']);
    expect(run.state?.outcome).to.equal('completed');
    expect(run.variables()).to.deep.equal({ x: 3, y: 2 });
    expect(run.eventTypes().at(-1)).to.equal('run.completed');
  });

  it('should produce the same events and ids when the commands are replayed', async () => {
    // given
    const elements = start + job('a') + approval('ok') + end + flows('start > a', 'a > ok', 'ok > end');
    const originalRun = await TestRun.of(elements);
    originalRun.start({ x: 1 });
    originalRun.complete('a', { y: 2 });
    originalRun.vote('ok', 'approve');

    // when
    const replayedRun = await TestRun.of(elements);
    for (const { command, now } of originalRun.commands) {
      replayedRun.now = now;
      replayedRun.state = JSON.parse(JSON.stringify(replayedRun.state)) as typeof replayedRun.state;
      replayedRun.do(command);
    }

    // then
    expect(replayedRun.events).to.deep.equal(originalRun.events);
    expect(replayedRun.state).to.deep.equal(originalRun.state);
    expect(new Set(originalRun.events.map((event) => event.stepId).filter((id) => id !== null)).size).to.equal(4);
  });

  it('should not mutate the given state', async () => {
    // given
    const run = await TestRun.of(start + job('a') + end + flows('start > a', 'a > end'));
    run.start({ deep: { x: 1 } });
    const jsonBefore = JSON.stringify(run.state);
    const stateBefore = run.state;

    // when
    run.complete('a', { deep: { x: 2 } });

    // then
    expect(JSON.stringify(stateBefore)).to.equal(jsonBefore);
  });

  it('should follow the first true condition of an exclusive gateway, or else the default flow', async () => {
    const elements =
      start +
      '<bpmn:exclusiveGateway id="g" default="g_c"/>' +
      job('a') +
      job('b') +
      job('c') +
      flows('start > g', 'g > a: =x > 10', 'g > b: =x > 5', 'g > c');
    for (const [x, expected] of [
      [11, 'a'],
      [6, 'b'],
      [1, 'c'],
    ] as const) {
      const run = await TestRun.of(elements);
      run.start({ x });
      expect(run.tokens()).to.deep.equal([expected]);
    }
  });

  it('should raise an incident if no condition is true, and continue from the gateway on recovery', async () => {
    // given
    const run = await TestRun.of(
      start +
        '<bpmn:exclusiveGateway id="g"/>' +
        job('a') +
        job('b') +
        flows('start > g', 'g > a: =x = 1', 'g > b: =x = 2'),
    );
    run.start({ x: 3 });
    expect(run.project()).to.include({ status: 'failed', incidents: 1, currentStep: 'g' });
    expect(run.project().error?.code).to.equal('no_flow_selected');

    // when
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { x: 2 }, comment: 'fixed' });

    // then
    expect(run.tokens()).to.deep.equal(['b']);
    expect(run.project()).to.include({ status: 'active', incidents: 0 });
  });

  it('should evaluate the condition of a gateway with a single outgoing flow', async () => {
    const run = await TestRun.of(
      start + '<bpmn:exclusiveGateway id="g"/>' + end + flows('start > g', 'g > end: =x > 1'),
    );
    run.start({ x: 1 });
    expect(run.project().error?.code).to.equal('no_flow_selected');

    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: { x: 2 }, comment: null });
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should raise an incident if a condition is not boolean', async () => {
    const run = await TestRun.of(
      start +
        '<bpmn:exclusiveGateway id="g" default="g_b"/>' +
        job('a') +
        job('b') +
        flows('start > g', 'g > a: =x', 'g > b'),
    );
    run.start({ x: 'yes' });
    expect(run.project().error?.code).to.equal('condition_not_boolean');
  });

  it('should wait at a parallel join for one token on each flow', async () => {
    // given
    const run = await TestRun.of(
      start +
        '<bpmn:parallelGateway id="f"/><bpmn:parallelGateway id="j"/>' +
        job('a') +
        job('b') +
        end +
        flows('start > f', 'f > a', 'f > b', 'a > j', 'b > j', 'j > end'),
    );
    run.start();
    expect(run.tokens()).to.have.members(['a', 'b']);

    // when
    run.complete('a');

    // then
    expect(run.tokens()).to.deep.equal(['b']);
    expect(run.project().status).to.equal('active');
    run.complete('b');
    expect(run.completedElementIds().filter((id) => id === 'j')).to.have.length(1);
    expect(run.state?.outcome).to.equal('completed');
    expect(run.state?.instances[1]?.joins).to.equal(undefined);
  });

  it('should report the run as blocked, not active, if only an approval is pending while a token waits at a join', async () => {
    const run = await TestRun.of(
      start +
        '<bpmn:parallelGateway id="f"/><bpmn:parallelGateway id="j"/>' +
        approval('ok') +
        '<bpmn:manualTask id="m"/>' +
        end +
        flows('start > f', 'f > ok', 'f > m', 'ok > j', 'm > j', 'j > end'),
    );
    run.start();
    expect(run.project()).to.include({ status: 'blocked', currentStep: 'ok', pendingApprovals: 1 });
  });

  it('should count the iterations of a step in a loop', async () => {
    const run = await TestRun.of(
      start +
        job('a') +
        '<bpmn:exclusiveGateway id="m"/><bpmn:exclusiveGateway id="g" default="g_m"/>' +
        end +
        flows('start > m', 'm > a', 'a > g', 'g > m', 'g > end: =done'),
    );
    run.start({ done: false });
    run.complete('a');
    run.complete('a');
    expect(run.at('a').iteration).to.equal(3);
    run.complete('a', { done: true });
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should stop an endless loop with element_limit_exceeded', async () => {
    const run = await TestRun.of(
      start +
        script('s', '=n + 1', 'n') +
        '<bpmn:exclusiveGateway id="m"/><bpmn:exclusiveGateway id="g" default="g_m"/>' +
        end +
        flows('start > m', 'm > s', 's > g', 'g > m', 'g > end: =n &lt; 0'.replace('&lt;', '<')),
    );
    run.start({ n: 1 });
    expect(run.project().error?.code).to.equal('element_limit_exceeded');
  });

  const loop = (expression: string): string =>
    start +
    script('s', expression, 'r') +
    script('c', '=n + 1', 'n') +
    '<bpmn:exclusiveGateway id="m"/><bpmn:exclusiveGateway id="g" default="g_end"/>' +
    end +
    flows('start > m', 'm > s', 's > c', 'c > g', 'g > m: =n < 2000', 'g > end');

  it('should stop a loop whose expressions together exceed the work limit', async () => {
    const run = await TestRun.of(loop('=count(for i in 1..30000 return i)'));
    const startTime = performance.now();
    run.start({ n: 1 });
    expect(run.project().error?.code).to.equal('work_limit_exceeded');
    expect(performance.now() - startTime).to.be.lessThan(seconds(10));
  });

  it('should stop a loop whose events together exceed the work limit', async () => {
    const run = await TestRun.of(loop('=text'));
    run.start({ n: 1, text: 'x'.repeat(100_000) });
    expect(run.project().error?.code).to.equal('work_limit_exceeded');
    expect(run.events.length).to.be.lessThan(1_500);
  });

  it('should cancel all other tokens and their waits at a terminate end event', async () => {
    // given
    const run = await TestRun.of(
      start +
        '<bpmn:parallelGateway id="f"/>' +
        job('a') +
        job('b') +
        approval('ok') +
        '<bpmn:endEvent id="stop"><bpmn:terminateEventDefinition/></bpmn:endEvent>' +
        flows('start > f', 'f > a', 'f > b', 'f > ok', 'a > stop', 'b > stop', 'ok > stop'),
    );
    run.start();

    // when
    run.complete('a');

    // then
    expect(run.state?.outcome).to.equal('completed');
    expect(run.eventTypes()).to.include.members(['approval.withdrawn', 'step.cancelled']);
    expect(run.requests.filter((request) => request.type === 'job.withdraw')).to.have.length(2);
  });

  it('should map inputs into the scope of the task, and only mapped outputs into the run', async () => {
    const mapping =
      '<zeebe:ioMapping><zeebe:input source="=order.total" target="amount"/><zeebe:output source="=receipt.id" target="paid.by"/></zeebe:ioMapping>';
    const run = await TestRun.of(start + job('a', mapping) + end + flows('start > a', 'a > end'));
    run.start({ order: { total: 12 } });
    expect(run.at('a').variables).to.deep.equal({ amount: 12 });
    run.complete('a', { receipt: { id: 'r1' } });
    expect(run.variables()).to.deep.equal({ order: { total: 12 }, paid: { by: 'r1' } });
  });

  it('should merge an output into the existing context of its target, but create a new context for an input', async () => {
    // given
    const mapping =
      '<zeebe:ioMapping><zeebe:input source="=1" target="paid.local"/>' +
      '<zeebe:output source="=amount" target="order.paid.amount"/><zeebe:output source="=2" target="order.count"/></zeebe:ioMapping>';
    const run = await TestRun.of(start + job('a', mapping) + end + flows('start > a', 'a > end'));
    const order = { id: 'o1', paid: { by: 'card' } };
    run.start({ order, paid: { x: 1 } });
    expect(run.at('a').variables).to.deep.equal({ paid: { local: 1 } });

    // when
    run.complete('a', { amount: 12 });

    // then
    expect(run.variables()).to.deep.equal({
      order: { id: 'o1', paid: { by: 'card', amount: 12 }, count: 2 },
      paid: { x: 1 },
    });
    expect(order).to.deep.equal({ id: 'o1', paid: { by: 'card' } });
  });

  it('should wait for a message, and write its payload to the variables', async () => {
    // given
    const run = await TestRun.of(
      start + '<bpmn:receiveTask id="r" messageRef="ci"/>' + end + flows('start > r', 'r > end'),
    );
    run.start({ key: 'k-1' });
    expect(run.project()).to.include({ status: 'blocked' });
    expect(run.project().waitingFor[0]).to.include({ kind: 'event', messageName: 'ci', correlationKey: 'k-1' });

    // when
    const { subscriptionId } = run.wait('r', 'message');
    run.do({ type: 'message.correlate', actor: user('ci'), subscriptionId, payload: { ok: true } });

    // then
    expect(run.variables()).to.include({ ok: true });
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should continue when a timer fires, and refuse to fire the timer again', async () => {
    const timer =
      '<bpmn:intermediateCatchEvent id="t"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT2H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>';
    const run = await TestRun.of(start + timer + end + flows('start > t', 't > end'));
    run.start();
    const wait = run.wait('t', 'timer');
    expect(wait.dueAt).to.equal(T0 + 7_200_000);
    run.do({ type: 'timer.fire', actor: user('clock'), timerId: wait.timerId });
    expect(run.state?.outcome).to.equal('completed');
    const secondFiring = run.do({ type: 'timer.fire', actor: user('clock'), timerId: wait.timerId });
    expect(secondFiring.refusal?.code).to.equal('run_already_ended');
    expect(secondFiring.events).to.deep.equal([]);
  });
});
