import { expect } from 'chai';
import type { AdvanceResult, JsonObject, Wait } from '@countersign/model';
import { end, flows, job, script, start, TestRun, user } from './interpreter.spec.support.js';

const boundary = (id: string, attachedTo: string, definition: string, interrupting = true): string =>
  `<bpmn:boundaryEvent id="${id}" attachedToRef="${attachedTo}" cancelActivity="${String(interrupting)}">${definition}</bpmn:boundaryEvent>`;
const throwEvent = (id: string, definition: string): string =>
  `<bpmn:intermediateThrowEvent id="${id}">${definition}</bpmn:intermediateThrowEvent>`;
const endEvent = (id: string, definition = ''): string => `<bpmn:endEvent id="${id}">${definition}</bpmn:endEvent>`;
const subProcess = (id: string, inner: string, attributes = ''): string =>
  `<bpmn:subProcess id="${id}" ${attributes}>${inner}</bpmn:subProcess>`;
const eventSubProcess = (id: string, definition: string, inner: string, interrupting = true): string =>
  subProcess(
    id,
    `<bpmn:startEvent id="${id}_start" isInterrupting="${String(interrupting)}">${definition}</bpmn:startEvent>${inner}`,
    'triggeredByEvent="true"',
  );
const message = (id: string): string => `<bpmn:messageEventDefinition messageRef="${id}"/>`;
const signal = (id: string): string => `<bpmn:signalEventDefinition signalRef="${id}"/>`;
const error = (id?: string): string => `<bpmn:errorEventDefinition ${id === undefined ? '' : `errorRef="${id}"`}/>`;
const escalation = (id: string): string => `<bpmn:escalationEventDefinition escalationRef="${id}"/>`;
const duration = (isoDuration: string): string =>
  `<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${isoDuration}</bpmn:timeDuration></bpmn:timerEventDefinition>`;
const cycle = (isoCycle: string): string =>
  `<bpmn:timerEventDefinition><bpmn:timeCycle xsi:type="bpmn:tFormalExpression">${isoCycle}</bpmn:timeCycle></bpmn:timerEventDefinition>`;
const condition = (expression: string): string =>
  `<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">${expression.replaceAll('>', '&gt;')}</bpmn:condition></bpmn:conditionalEventDefinition>`;

const listWaits = (run: TestRun): Wait[] =>
  Object.values(run.state?.instances ?? {}).flatMap((each) => each.waits ?? []);

function requireWait<K extends Wait['kind']>(run: TestRun, kind: K): Extract<Wait, { kind: K }> {
  const found = listWaits(run).find((wait): wait is Extract<Wait, { kind: K }> => wait.kind === kind);
  if (found === undefined) throw new Error(`the run has no wait of kind ${kind}`);
  return found;
}

function correlate(run: TestRun, payload: JsonObject = {}): AdvanceResult {
  return run.do({
    type: 'message.correlate',
    actor: user('system'),
    subscriptionId: requireWait(run, 'message').subscriptionId,
    payload,
  });
}

function fireTimer(run: TestRun): AdvanceResult {
  const timer = requireWait(run, 'timer');
  run.now = Math.max(run.now, timer.dueAt);
  return run.do({ type: 'timer.fire', actor: user('system'), timerId: timer.timerId });
}

function throwErrorFrom(run: TestRun, elementId: string, errorCode: string, variables: JsonObject = {}): AdvanceResult {
  return run.do({
    type: 'job.error',
    actor: user('worker'),
    jobId: run.wait(elementId, 'job').jobId,
    errorCode,
    message: 'The order is closed.',
    variables,
  });
}

describe('advance(): boundary events', () => {
  const buildBoundaryModel = (definition: string, interrupting = true): string =>
    start +
    job('a') +
    boundary('b', 'a', definition, interrupting) +
    job('c') +
    end +
    endEvent('late') +
    flows('start > a', 'a > end', 'b > c', 'c > late');

  it('should cancel the activity and all its waits when an interrupting event occurs', async () => {
    // given
    const run = await TestRun.of(buildBoundaryModel(message('m')));
    run.start({ key: 'k' });

    // when
    correlate(run, { x: 1 });

    // then
    expect(run.tokens()).to.deep.equal(['c']);
    expect(run.variables()).to.deep.equal({ key: 'k', x: 1 });
    expect(run.requests.map((request) => request.type)).to.include.members(['job.withdraw', 'subscription.close']);
    run.complete('c');
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should keep the activity active each time a non-interrupting event occurs', async () => {
    // given
    const run = await TestRun.of(buildBoundaryModel(message('m'), false));
    run.start({ key: 'k' });

    // when
    correlate(run);
    correlate(run);

    // then
    expect(run.tokens()).to.deep.equal(['a', 'c', 'c']);
    run.complete('a');
    expect(listWaits(run).filter((wait) => wait.kind === 'message')).to.deep.equal([]);
    run.complete('c');
    run.complete('c');
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should fire a timer cycle as often as its repetition count allows', async () => {
    // given
    const run = await TestRun.of(buildBoundaryModel(cycle('R2/PT1M'), false));
    run.start();

    // when
    fireTimer(run);
    fireTimer(run);

    // then
    expect(run.tokens()).to.deep.equal(['a', 'c', 'c']);
    expect(listWaits(run).filter((wait) => wait.kind === 'timer')).to.deep.equal([]);
  });

  it('should disarm the timer of a boundary event when the activity completes', async () => {
    const run = await TestRun.of(buildBoundaryModel(duration('PT1M')));
    run.start();
    run.complete('a');
    expect(run.state?.outcome).to.equal('completed');
    expect(run.requests.at(-1)?.type).to.equal('timer.disarm');
  });

  it('should list boundary events in waitingFor, and keep the run active while a job is open', async () => {
    const run = await TestRun.of(buildBoundaryModel(duration('PT1M')));
    run.start();
    expect(run.project()).to.deep.include({ status: 'active' });
    expect(run.project().waitingFor).to.have.length(1).and.to.have.nested.property('[0].elementId', 'b');
  });

  it('should prefer the boundary event with the code of the error to a boundary event without a code', async () => {
    // given
    const elements =
      start +
      job('a') +
      boundary('any', 'a', error()) +
      boundary('mine', 'a', error('E1')) +
      end +
      endEvent('x') +
      endEvent('y') +
      flows('start > a', 'a > end', 'any > x', 'mine > y');
    const firstRun = await TestRun.of(elements);
    const secondRun = await TestRun.of(elements);
    firstRun.start();
    secondRun.start();

    // when
    throwErrorFrom(firstRun, 'a', 'E1');
    throwErrorFrom(secondRun, 'a', 'E2');

    // then
    expect(firstRun.completedElementIds().slice(-2)).to.deep.equal(['mine', 'y']);
    expect(secondRun.completedElementIds().slice(-2)).to.deep.equal(['any', 'x']);
  });

  it('should pass the variables of an error to the boundary event, and only its output mappings to the run', async () => {
    // given
    const mapping =
      '<bpmn:extensionElements><zeebe:ioMapping><zeebe:output source="=why" target="reason"/></zeebe:ioMapping></bpmn:extensionElements>';
    const [unmappedRun, mappedRun] = await Promise.all([
      TestRun.of(buildBoundaryModel(error('E1'))),
      TestRun.of(buildBoundaryModel(mapping + error('E1'))),
    ]);
    unmappedRun.start({ x: 1 });
    mappedRun.start({ x: 1 });

    // when
    throwErrorFrom(unmappedRun, 'a', 'E1', { why: 'sold out', x: 2 });
    throwErrorFrom(mappedRun, 'a', 'E1', { why: 'sold out', x: 2 });

    // then
    expect(unmappedRun.variables()).to.deep.equal({ x: 1 });
    expect(mappedRun.variables()).to.deep.equal({ x: 1, reason: 'sold out' });
  });

  it('should raise an incident for an uncaught error, and offer the job again on recovery', async () => {
    // given
    const run = await TestRun.of(buildBoundaryModel(duration('PT1M')));
    run.start();

    // when
    throwErrorFrom(run, 'a', 'E1');

    // then
    expect(run.project()).to.deep.include({ incidents: 1 });
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: null, comment: null });
    expect(listWaits(run).map((wait) => wait.kind)).to.have.members(['job', 'timer']);
  });
});

describe('advance(): scopes', () => {
  it('should complete a sub-process when no token is left in it', async () => {
    // given
    const inner = `<bpmn:startEvent id="s"/>${job('a')}${job('b')}${endEvent('e')}${flows('s > a', 's > b', 'a > e', 'b > e')}`;
    const run = await TestRun.of(start + subProcess('sub', inner) + end + flows('start > sub', 'sub > end'));
    run.start();

    // when
    run.complete('a');
    expect(run.tokens()).to.deep.equal(['sub', 'b']);
    run.complete('b');

    // then
    expect(run.completedElementIds()).to.deep.equal(['start', 's', 'a', 'e', 'b', 'e', 'sub', 'end']);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should cancel a whole sub-process when an interrupting boundary event occurs, inner steps first', async () => {
    // given
    const inner = `<bpmn:startEvent id="s"/>${job('a')}${endEvent('e')}${flows('s > a', 'a > e')}`;
    const run = await TestRun.of(
      start +
        subProcess('sub', inner) +
        boundary('b', 'sub', duration('PT1M')) +
        end +
        endEvent('late') +
        flows('start > sub', 'sub > end', 'b > late'),
    );
    run.start();

    // when
    fireTimer(run);

    // then
    expect(run.events.filter((event) => event.type === 'step.cancelled').map((event) => event.elementId)).to.deep.equal(
      ['a', 'sub'],
    );
    expect(run.completedElementIds().slice(-2)).to.deep.equal(['b', 'late']);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should end only the scope of a terminate end event', async () => {
    const inner = `<bpmn:startEvent id="s"/>${job('a')}${endEvent('stop', '<bpmn:terminateEventDefinition/>')}${flows('s > a', 's > stop')}`;
    const run = await TestRun.of(start + subProcess('sub', inner) + end + flows('start > sub', 'sub > end'));
    run.start();
    expect(run.completedElementIds().slice(-3)).to.deep.equal(['stop', 'sub', 'end']);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should propagate an error to the nearest scope that catches it', async () => {
    const inner = `<bpmn:startEvent id="s"/>${endEvent('fail', error('E1'))}${flows('s > fail')}`;
    const middle = `<bpmn:startEvent id="t"/>${subProcess('inner', inner)}${endEvent('e')}${flows('t > inner', 'inner > e')}`;
    const run = await TestRun.of(
      start +
        subProcess('outer', middle) +
        boundary('b', 'outer', error('E1')) +
        end +
        endEvent('caught') +
        flows('start > outer', 'outer > end', 'b > caught'),
    );
    run.start();
    expect(run.completedElementIds().slice(-2)).to.deep.equal(['b', 'caught']);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should cancel the other tokens and waits when an interrupting event sub-process starts', async () => {
    // given
    const handler = (id: string): string =>
      `${job(`${id}_job`)}${endEvent(`${id}_end`)}${flows(`${id}_start > ${id}_job`, `${id}_job > ${id}_end`)}`;
    const run = await TestRun.of(
      start +
        job('a') +
        end +
        flows('start > a', 'a > end') +
        eventSubProcess('one', message('m'), handler('one')) +
        eventSubProcess('two', duration('PT1H'), handler('two'), false),
    );
    run.start({ key: 'k' });

    // when
    correlate(run);

    // then
    expect(run.tokens()).to.deep.equal(['one', 'one_job']);
    expect(listWaits(run).map((wait) => wait.kind)).to.deep.equal(['job']);
    run.complete('one_job');
    expect(run.completedElementIds().slice(-2)).to.deep.equal(['one_end', 'one']);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should run a non-interrupting event sub-process in parallel, and wait for it before the run ends', async () => {
    // given
    const handler = `${job('h')}${endEvent('h_end')}${flows('e_start > h', 'h > h_end')}`;
    const run = await TestRun.of(
      start + job('a') + end + flows('start > a', 'a > end') + eventSubProcess('e', duration('PT1H'), handler, false),
    );
    run.start();

    // when
    fireTimer(run);
    run.complete('a');

    // then
    expect(run.state?.outcome).to.equal(null);
    run.complete('h');
    expect(run.state?.outcome).to.equal('completed');
  });
});

describe('advance(): escalations, signals, conditions, gateways', () => {
  it('should continue after an escalation that a non-interrupting boundary event catches', async () => {
    const inner = `<bpmn:startEvent id="s"/>${throwEvent('up', escalation('E'))}${endEvent('e')}${flows('s > up', 'up > e')}`;
    const run = await TestRun.of(
      start +
        subProcess('sub', inner) +
        boundary('b', 'sub', escalation('E'), false) +
        end +
        endEvent('seen') +
        flows('start > sub', 'sub > end', 'b > seen'),
    );
    run.start();
    expect(run.completedElementIds()).to.include.members(['b', 'seen', 'sub', 'end']);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should stop an endless loop of signals with element_limit_exceeded when too many waiting events receive them', async () => {
    // given
    const handler = eventSubProcess(
      'on',
      signal('S'),
      `<bpmn:endEvent id="on_end"/>${flows('on_start > on_end')}`,
      false,
    );
    const loop =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality xsi:type="bpmn:tFormalExpression">1000</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
    const multiInstanceActivity = subProcess(
      'many',
      `${handler}<bpmn:startEvent id="s"/>${job('a')}${endEvent('e')}${flows('s > a', 'a > e')}${loop}`,
    );
    const loopModel = `<bpmn:parallelGateway id="both"/><bpmn:exclusiveGateway id="again"/>${job('go')}${throwEvent('shout', signal('S'))}`;
    const run = await TestRun.of(
      start +
        loopModel +
        multiInstanceActivity +
        end +
        flows('start > both', 'both > many', 'many > end', 'both > go', 'go > again', 'again > shout', 'shout > again'),
    );
    run.start();

    // when
    run.complete('go');

    // then
    const receivedCount = run.eventTypes().filter((type) => type === 'signal.received').length;
    expect(receivedCount).to.be.above(0).and.at.most(10_000);
    const stoppedInstances = Object.values(run.state?.instances ?? {}).filter(
      (each) => each.incident?.code === 'element_limit_exceeded',
    );
    expect(stoppedInstances.map((each) => each.elementId)).to.include.oneOf(['again', 'shout']);
  });

  it('should deliver a signal to the run that throws it, and send it to other runs', async () => {
    const inner = `<bpmn:startEvent id="s"/>${throwEvent('shout', signal('S'))}${job('a')}${endEvent('e')}${flows('s > shout', 'shout > a', 'a > e')}`;
    const run = await TestRun.of(
      start +
        subProcess('sub', inner) +
        boundary('b', 'sub', signal('S')) +
        end +
        endEvent('heard') +
        flows('start > sub', 'sub > end', 'b > heard'),
    );
    run.start();
    // The throw event completes, although its signal interrupts the surrounding sub-process.
    expect(run.completedElementIds()).to.deep.equal(['start', 's', 'shout', 'b', 'heard']);
    expect(run.requests.filter((request) => request.type === 'send')).to.have.length(1);
  });

  it('should trigger a conditional event once each time its condition becomes true', async () => {
    // given
    const handler = `${script('count', '=n + 1', 'n')}${endEvent('h_end')}${flows('e_start > count', 'count > h_end')}`;
    const run = await TestRun.of(
      start +
        job('a') +
        job('b') +
        job('c') +
        end +
        flows('start > a', 'a > b', 'b > c', 'c > end') +
        eventSubProcess('e', condition('=x > 5'), handler, false),
    );
    run.start({ x: 1, n: 0 });

    // when
    run.complete('a', { x: 9 });
    run.complete('b', { y: 1 });

    // then
    expect(run.variables()['n']).to.equal(1);
    run.complete('c', { x: 1 });
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should pass the token to the first event that occurs after an event-based gateway', async () => {
    // given
    const catchEvent = (id: string, definition: string): string =>
      `<bpmn:intermediateCatchEvent id="${id}">${definition}</bpmn:intermediateCatchEvent>`;
    const run = await TestRun.of(
      `${start}<bpmn:eventBasedGateway id="g"/>${catchEvent('m1', message('m'))}${catchEvent('t1', duration('PT1M'))}${end}${endEvent('late')}${flows('start > g', 'g > m1', 'g > t1', 'm1 > end', 't1 > late')}`,
    );
    run.start({ key: 'k' });
    expect(run.project()).to.deep.include({ status: 'blocked' });

    // when
    fireTimer(run);

    // then
    expect(run.completedElementIds()).to.deep.equal(['start', 'g', 't1', 'late']);
    expect(listWaits(run)).to.deep.equal([]);
  });

  it('should continue at the catch event of a link', async () => {
    const link = '<bpmn:linkEventDefinition name="L"/>';
    const run = await TestRun.of(
      `${start}${throwEvent('out', link)}<bpmn:intermediateCatchEvent id="in">${link}</bpmn:intermediateCatchEvent>${end}${flows('start > out', 'in > end')}`,
    );
    run.start();
    expect(run.completedElementIds()).to.deep.equal(['start', 'out', 'in', 'end']);
  });
});

describe('advance(): compensation', () => {
  const compensationBoundary = (attachedTo: string): string =>
    `${boundary(`${attachedTo}_undone`, attachedTo, '<bpmn:compensateEventDefinition/>')}${job(`undo_${attachedTo}`).replace('<bpmn:serviceTask ', '<bpmn:serviceTask isForCompensation="true" ')}<bpmn:association id="${attachedTo}_as" sourceRef="${attachedTo}_undone" targetRef="undo_${attachedTo}" associationDirection="One"/>`;
  const compensableTasks = job('a') + compensationBoundary('a') + job('b') + compensationBoundary('b');

  it('should run the compensation handlers in reverse order before the run leaves the throwing event', async () => {
    // given
    const run = await TestRun.of(
      start +
        compensableTasks +
        throwEvent('back', '<bpmn:compensateEventDefinition/>') +
        end +
        flows('start > a', 'a > b', 'b > back', 'back > end'),
    );
    run.start();
    run.complete('a');
    run.complete('b');

    // when
    expect(run.tokens()).to.deep.equal(['back', 'undo_b']);
    run.complete('undo_b');
    run.complete('undo_a');

    // then
    expect(run.completedElementIds()).to.deep.equal(['start', 'a', 'b', 'undo_b', 'undo_a', 'back', 'end']);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should compensate a cancelled transaction, and continue at its cancel boundary event', async () => {
    // given
    const inner = `<bpmn:startEvent id="s"/>${compensableTasks}${endEvent('stop', '<bpmn:cancelEventDefinition/>')}${flows('s > a', 'a > b', 'b > stop')}`;
    const run = await TestRun.of(
      `${start}<bpmn:transaction id="t">${inner}</bpmn:transaction>${boundary('c', 't', '<bpmn:cancelEventDefinition/>')}${end}${endEvent('undone')}${flows('start > t', 't > end', 'c > undone')}`,
    );
    run.start();
    run.complete('a');
    run.complete('b');

    // when
    run.complete('undo_b');
    run.complete('undo_a');

    // then
    expect(run.completedElementIds().slice(-4)).to.deep.equal(['undo_b', 'undo_a', 'c', 'undone']);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should compensate completed activities when the run is cancelled, before the run ends as cancelled', async () => {
    // given
    const run = await TestRun.of(
      start + compensableTasks + job('last') + end + flows('start > a', 'a > b', 'b > last', 'last > end'),
    );
    run.start();
    run.complete('a');
    run.complete('b');

    // when
    run.do({ type: 'cancel', actor: user('op'), reason: null });

    // then
    expect(run.tokens()).to.deep.equal(['undo_b']);
    expect(run.project().status).to.equal('active');
    expect(run.state?.cancelling).to.equal(true);
    expect(run.do({ type: 'cancel', actor: user('op'), reason: null }).refusal?.code).to.equal('run_cancelling');
    run.complete('undo_b');
    run.complete('undo_a');
    expect(run.state?.outcome).to.equal('cancelled');
    expect(run.eventTypes().at(-1)).to.equal('run.cancelled');
  });

  for (const [sequential, expectedTokens] of [
    [false, ['back', 'undo_a', 'undo_a', 'undo_a']],
    [true, ['back', 'undo_a']],
  ] as const) {
    it(`should compensate each instance of a ${sequential ? 'sequential activity, one after the other' : 'parallel activity, all at once'}`, async () => {
      // given
      const loop = `<bpmn:multiInstanceLoopCharacteristics isSequential="${sequential}"><bpmn:loopCardinality xsi:type="bpmn:tFormalExpression">3</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;
      const multiInstanceActivity =
        job('a').replace('</bpmn:serviceTask>', `${loop}</bpmn:serviceTask>`) + compensationBoundary('a');
      const run = await TestRun.of(
        start +
          multiInstanceActivity +
          throwEvent('back', '<bpmn:compensateEventDefinition/>') +
          end +
          flows('start > a', 'a > back', 'back > end'),
      );
      run.start();
      for (let index = 0; index < 3; index += 1) run.complete('a');

      // when
      expect(run.tokens()).to.deep.equal(expectedTokens);
      for (let index = 0; index < 3; index += 1) run.complete('undo_a');

      // then
      expect(run.completedElementIds().filter((id) => id === 'undo_a')).to.have.length(3);
      expect(run.completedElementIds().slice(-3)).to.deep.equal(['undo_a', 'back', 'end']);
      expect(run.state?.outcome).to.equal('completed');
    });
  }
});
