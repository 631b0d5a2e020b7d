import { expect } from 'chai';
import type { PolicyRequest, Taints } from '@countersign/model';
import { AgentRun, agentTask, call, write } from './agents/agents.spec.support.js';
import { advance } from './advance.js';
import {
  allow,
  approval,
  end,
  flows,
  compileGraph,
  job,
  RUN_ID,
  script,
  start,
  TestRun,
  user,
} from './interpreter.spec.support.js';

const mapping = (inputs: Record<string, string>, outputs: Record<string, string> = {}): string =>
  `<zeebe:ioMapping>${Object.entries(inputs)
    .map(([target, source]) => `<zeebe:input source="${source}" target="${target}"/>`)
    .join('')}${Object.entries(outputs)
    .map(([target, source]) => `<zeebe:output source="${source}" target="${target}"/>`)
    .join('')}</zeebe:ioMapping>`;
const receive = (id: string, name: string): string =>
  `<bpmn:intermediateCatchEvent id="${id}"><bpmn:messageEventDefinition messageRef="${name}"/></bpmn:intermediateCatchEvent>`;

function taints(run: TestRun): Taints {
  return run.state?.instances[run.state.root]?.taints ?? {};
}

/** Starts a run that has received the variable `given` in a message. */
async function startByMessage(elements: string, ...arrows: string[]): Promise<TestRun> {
  const run = await TestRun.of(start + receive('wait', 'news') + elements + flows('start > wait', ...arrows));
  run.start({ key: 'k', own: 1 });
  run.do({
    type: 'message.correlate',
    actor: user('web'),
    subscriptionId: run.wait('wait', 'message').subscriptionId,
    payload: { given: 'x' },
  });
  return run;
}

describe('the taint of variables', () => {
  it('should not mark variables that users provide in inputs, votes or recoveries', async () => {
    // given
    const run = await TestRun.of(
      start +
        approval('approve') +
        job('work', '', '=bad') +
        end +
        flows('start > approve', 'approve > work', 'work > end'),
    );
    run.start({ one: 1 });
    // when
    run.vote('approve', 'approve');
    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: { bad: 'work' }, comment: null });
    // then
    expect(JSON.stringify(run.state)).to.not.contain('taint');
  });

  it('should mark variables from messages and from job results', async () => {
    // given
    const run = await startByMessage(job('work'), 'wait > work');
    // then
    expect(taints(run)).to.deep.equal({ given: ['webhook'] });
    // when
    run.complete('work', { given: 'y', made: 2 });
    // then
    expect(taints(run)).to.deep.equal({ given: ['tool:work'], made: ['tool:work'] });
  });

  it('should mark all variables of an external signal, but only the tainted variables of a signal from a run', async () => {
    for (const [given, expected] of [
      [undefined, { a: ['webhook'], b: ['webhook'] }],
      [{ b: ['tool:x'] }, { b: ['tool:x'] }],
      [{}, {}],
    ] as const) {
      // given
      const run = await TestRun.of(
        `${start}<bpmn:intermediateCatchEvent id="wait"><bpmn:signalEventDefinition signalRef="go"/></bpmn:intermediateCatchEvent>${job('later')}${flows('start > wait', 'wait > later')}`,
      );
      run.start();
      // when
      run.do({
        type: 'signal.receive',
        actor: user('x'),
        subscriptionId: run.wait('wait', 'signal').subscriptionId,
        payload: { a: 1, b: 2 },
        ...(given === undefined ? {} : { taints: given }),
      });
      // then
      expect(taints(run)).to.deep.equal(expected);
    }
  });

  it('should mark the payload of the event that starts a run', async () => {
    const run = await TestRun.of(
      `<bpmn:startEvent id="s"><bpmn:messageEventDefinition messageRef="news"/></bpmn:startEvent>${job('work')}${flows('s > work')}`,
    );
    run.start({ own: 1 }, undefined, { elementId: 's', trigger: 0, payload: { given: 1 } });
    expect(taints(run)).to.deep.equal({ given: ['webhook'] });
  });

  it('should propagate through scripts and mappings, and end when an untainted value overwrites the variable', async () => {
    // given
    const run = await startByMessage(
      script('s1', '=given + &quot;!&quot;', 'derived') +
        script('s2', '=own', 'clean') +
        job(
          'work',
          mapping(
            { 'in.x': '=given', 'in.y': '=own', 'only': '=own' },
            { 'own': '=own', 'into.x': '=only', 'got': '=result' },
          ),
        ) +
        end,
      'wait > s1',
      's1 > s2',
      's2 > work',
      'work > end',
    );
    // then
    expect(taints(run)).to.deep.equal({ given: ['webhook'], derived: ['webhook'] });
    expect(run.at('work').taints).to.deep.equal({ in: ['webhook'] });
    // when
    run.complete('work', { result: 1 });
    // then
    expect(run.variables()).to.deep.include({ got: 1 });
    expect(taints(run)).to.deep.equal({ given: ['webhook'], derived: ['webhook'], got: ['tool:work'] });
  });

  it('should remain when a mapping adds an untainted value to a tainted context', async () => {
    const run = await startByMessage(
      job('one', mapping({}, { got: '={x: given}' })) +
        job('two', mapping({}, { 'got.y': '=own', 'fresh.y': '=own' })) +
        job('later'),
      'wait > one',
      'one > two',
      'two > later',
    );
    run.complete('one');
    // when
    run.complete('two');
    // then
    expect(run.variables()).to.deep.include({ got: { x: 'x', y: 1 }, fresh: { y: 1 } });
    expect(taints(run)).to.deep.equal({ given: ['webhook'], got: ['webhook'] });
  });

  it('should reach the compensation handler of a step in a completed sub-process', async () => {
    // given
    const inner = `<bpmn:subProcess id="sub"><bpmn:extensionElements>${mapping({ local: '=given' })}</bpmn:extensionElements><bpmn:startEvent id="in"/>${job('work')}<bpmn:boundaryEvent id="c" attachedToRef="work"><bpmn:compensateEventDefinition id="cd"/></bpmn:boundaryEvent>${job('undo').replace('id="undo"', 'id="undo" isForCompensation="true"')}<bpmn:association id="as" sourceRef="c" targetRef="undo" associationDirection="One"/>${flows('in > work')}</bpmn:subProcess>`;
    const run = await startByMessage(
      `${inner}<bpmn:endEvent id="end"><bpmn:compensateEventDefinition id="ce"/></bpmn:endEvent>`,
      'wait > sub',
      'sub > end',
    );
    // when
    run.complete('work');
    // then
    expect(run.at('undo')).to.deep.include({ variables: { local: 'x' }, taints: { local: ['webhook'] } });
  });

  it('should mark the payload received at an event-based gateway or an event sub-process', async () => {
    // given
    const gatewayRun = await startByMessage(
      `<bpmn:eventBasedGateway id="g"/>${receive('one', 'more')}${receive('two', 'other')}${job('later')}`,
      'wait > g',
      'g > one',
      'g > two',
      'one > later',
      'two > later',
    );
    const subscriptionId =
      gatewayRun
        .at('g')
        .waits?.flatMap((each) =>
          each.kind === 'message' && each.messageName === 'more' ? [each.subscriptionId] : [],
        )[0] ?? '';
    // when
    gatewayRun.do({ type: 'message.correlate', actor: user('web'), subscriptionId, payload: { came: 1 } });
    // then
    expect(taints(gatewayRun)).to.deep.equal({ given: ['webhook'], came: ['webhook'] });
    // given
    const eventSubProcess = `<bpmn:subProcess id="aside" triggeredByEvent="true"><bpmn:startEvent id="on" isInterrupting="false"><bpmn:messageEventDefinition messageRef="more"/></bpmn:startEvent>${job('handle')}${flows('on > handle')}</bpmn:subProcess>`;
    const run = await TestRun.of(eventSubProcess + start + job('work') + flows('start > work'));
    run.start({ key: 'k' });
    const waits = run.state!.instances[run.state!.root]!.waits ?? [];
    // when
    run.do({
      type: 'message.correlate',
      actor: user('web'),
      subscriptionId: waits.flatMap((each) => (each.kind === 'message' ? [each.subscriptionId] : []))[0] ?? '',
      payload: { came: 1 },
    });
    // then
    expect(taints(run)).to.deep.equal({ came: ['webhook'] });
  });

  it('should be kept when a failed boundary event is recovered', async () => {
    // given
    const run = await TestRun.of(
      `${start}${job('work')}<bpmn:boundaryEvent id="on" attachedToRef="work"><bpmn:extensionElements>${mapping({}, { got: '=assert(came, ready, &quot;not yet&quot;)' })}</bpmn:extensionElements><bpmn:messageEventDefinition messageRef="more"/></bpmn:boundaryEvent>${job('later')}${flows('start > work', 'on > later')}`,
    );
    run.start({ key: 'k' });
    run.do({
      type: 'message.correlate',
      actor: user('web'),
      subscriptionId: run.wait('work', 'message').subscriptionId,
      payload: { came: 1 },
    });
    expect(run.at('on').incident).to.not.equal(undefined);
    // when
    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: { ready: true }, comment: null });
    // then
    expect(taints(run)).to.deep.equal({ got: ['webhook'] });
  });

  it('should be kept with the payload of an event when a step that the policy denied is recovered', async () => {
    // given
    const run = await startByMessage(
      '<bpmn:eventBasedGateway id="g"/><bpmn:receiveTask id="one" messageRef="more"/><bpmn:receiveTask id="two" messageRef="other"/>' +
        job('later'),
      'wait > g',
      'g > one',
      'g > two',
      'one > later',
      'two > later',
    );
    const originalPolicy = run.policy;
    run.policy = (request) => ({ ...originalPolicy(request), decision: 'deny' });
    const subscriptionId =
      run
        .at('g')
        .waits?.flatMap((each) =>
          each.kind === 'message' && each.messageName === 'more' ? [each.subscriptionId] : [],
        )[0] ?? '';
    run.do({ type: 'message.correlate', actor: user('web'), subscriptionId, payload: { came: 1 } });
    expect(run.at('one').incident?.phase).to.equal('enter');
    // when
    run.policy = originalPolicy;
    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });
    // then
    expect(taints(run)).to.deep.equal({ given: ['webhook'], came: ['webhook'] });
  });

  it('should follow a script to its result variable, and end when a script writes an untainted value', async () => {
    const run = await startByMessage(
      script('s1', '=given', 'own') + script('s2', '=1', 'given') + job('work'),
      'wait > s1',
      's1 > s2',
      's2 > work',
    );
    expect(taints(run)).to.deep.equal({ own: ['webhook'] });
  });

  it('should mark a DMN result only if the evaluation read a tainted variable', async () => {
    // given
    const runDecisionModel = (id: string, variableName: string): Promise<TestRun> =>
      TestRun.of(
        `${start}${receive('wait', 'news')}<bpmn:businessRuleTask id="dec"><bpmn:extensionElements><zeebe:calledDecision decisionId="${id}" resultVariable="out"/></bpmn:extensionElements></bpmn:businessRuleTask>${job('work')}${flows('start > wait', 'wait > dec', 'dec > work')}`,
      ).then((run) => {
        run.decisions = () => ({
          decisionId: id,
          version: 1,
          digest: 'sha256:1',
          evaluate: (scope) => ({ output: scope.variables.get(variableName) as string, matchedRules: [], trail: {} }),
        });
        run.start({ key: 'k', own: 1 });
        run.do({
          type: 'message.correlate',
          actor: user('web'),
          subscriptionId: run.wait('wait', 'message').subscriptionId,
          payload: { given: 'x' },
        });
        return run;
      });
    // then
    expect(taints(await runDecisionModel('d1', 'given'))).to.deep.equal({ given: ['webhook'], out: ['webhook'] });
    expect(taints(await runDecisionModel('d2', 'own'))).to.deep.equal({ given: ['webhook'] });
  });

  it('should mark the items and the output of every instance of a sequential loop', async () => {
    // given
    const loop = (collection: string): string =>
      `<bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=${collection}" inputElement="item" outputCollection="results" outputElement="=out"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>`;
    const task = job('work', mapping({ local: '=item' }, { out: '=item' })).replace(
      '</bpmn:serviceTask>',
      `${loop('[given, 2]')}</bpmn:serviceTask>`,
    );
    const run = await startByMessage(task + job('later'), 'wait > work', 'work > later');
    const findLoopInstance = () => Object.values(run.state!.instances).find((each) => each.loopCounter !== undefined)!;
    // then
    for (const counter of [1, 2]) {
      expect(findLoopInstance().loopCounter).to.equal(counter);
      expect(findLoopInstance().taints).to.deep.equal({ item: ['webhook'], local: ['webhook'] });
      const wait = findLoopInstance().waits?.[0];
      run.do({
        type: 'job.complete',
        actor: user('w'),
        jobId: wait?.kind === 'job' ? wait.jobId : '',
        output: {},
        agentName: null,
      });
    }
    expect(taints(run)).to.deep.equal({ given: ['webhook'], results: ['webhook'] });
  });

  it('should be passed on with a thrown signal and with an error', async () => {
    // given
    const throwingModel = `<bpmn:endEvent id="out"><bpmn:extensionElements>${mapping({ a: '=given', b: '=own' })}</bpmn:extensionElements><bpmn:signalEventDefinition signalRef="go"/></bpmn:endEvent>`;
    const run = await startByMessage(throwingModel, 'wait > out');
    // then
    const sent = run.requests.find((request) => request.type === 'send');
    expect(sent?.type === 'send' && sent.message).to.deep.include({
      kind: 'signal',
      payload: { a: 'x', b: 1 },
      taints: { a: ['webhook'] },
    });
    // given
    const inner =
      `<bpmn:subProcess id="sub">${start}<bpmn:endEvent id="bad"><bpmn:extensionElements>${mapping({ a: '=given' })}</bpmn:extensionElements><bpmn:errorEventDefinition errorRef="boom"/></bpmn:endEvent>${flows('start > bad')}</bpmn:subProcess>`.replaceAll(
        '"start',
        '"inner',
      );
    const catchingRun = await startByMessage(
      `${inner}<bpmn:boundaryEvent id="catch" attachedToRef="sub"><bpmn:extensionElements>${mapping({}, { why: '=a' })}</bpmn:extensionElements><bpmn:errorEventDefinition errorRef="boom"/></bpmn:boundaryEvent>${end}${job('mend')}`,
      'wait > sub',
      'sub > end',
      'catch > mend',
    );
    // then
    expect(taints(catchingRun)).to.deep.equal({ given: ['webhook'], why: ['webhook'] });
  });

  it('should be passed to a child run and back to its parent run', async () => {
    // given
    const callActivity =
      '<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="child" propagateAllChildVariables="true"/></bpmn:extensionElements></bpmn:callActivity>';
    const run = await startByMessage(callActivity + job('later'), 'wait > call', 'call > later');
    // then
    const sent = run.requests.flatMap((request) =>
      request.type === 'send' && request.message.kind === 'child.start' ? [request.message] : [],
    )[0]!;
    expect(sent.inputTaints).to.deep.equal({ given: ['webhook'] });
    // when
    const child = advance(
      await compileGraph(start + script('s', '=given', 'out') + end + flows('start > s', 's > end')),
      null,
      {
        type: 'start',
        actor: user('a'),
        runId: RUN_ID,
        workflowVersion: 1,
        workflowDigest: 'd',
        businessKey: null,
        inputs: sent.inputs,
        inputTaints: sent.inputTaints!,
        parent: sent.parent,
      },
      run.context(),
    );
    const report = child.requests.flatMap((request) =>
      request.type === 'send' && request.message.kind === 'parent.report' ? [request.message.report] : [],
    )[0]!;
    expect(report).to.deep.include({ kind: 'completed', taints: { given: ['webhook'], out: ['webhook'] } });
    // and
    run.do({ type: 'child.report', actor: user('a'), childRunId: sent.childRunId, report });
    expect(taints(run)).to.deep.equal({ given: ['webhook'], out: ['webhook'] });
  });

  it('should be kept when a step is recovered after a failed output mapping', async () => {
    // given
    const task = `${job('work', mapping({}, { got: '=assert(made, ready, &quot;not yet&quot;)' }))}${job('later')}`;
    const run = await startByMessage(task, 'wait > work', 'work > later');
    run.complete('work', { made: 1 });
    expect(run.at('work').incident?.phase).to.equal('leave');
    // when
    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: { ready: true }, comment: null });
    // then
    expect(taints(run)).to.deep.equal({ given: ['webhook'], got: ['tool:work'] });
  });

  it('should be reported to the policy for the mapped inputs, or for all variables if a step has no mappings', async () => {
    // given
    const requestsByElement: Record<string, Pick<PolicyRequest, 'taint' | 'effect'>> = {};
    const run = await TestRun.of(
      start +
        receive('wait', 'news') +
        job('bare') +
        job('clean', mapping({ a: '=own' })) +
        job('dirty', mapping({ a: '=given' })) +
        flows('start > wait', 'wait > bare', 'bare > clean', 'clean > dirty'),
    );
    run.policy = (request) => {
      requestsByElement[request.elementId] = { taint: request.taint, effect: request.effect };
      return allow(request);
    };
    run.context = () => ({
      ...TestRun.prototype.context.call(run),
      resolveEffect: (type) => (type === 'dirty' ? 'write' : undefined),
    });
    run.start({ key: 'k', own: 1 });
    run.do({
      type: 'message.correlate',
      actor: user('web'),
      subscriptionId: run.wait('wait', 'message').subscriptionId,
      payload: { given: 'x' },
    });
    // when
    run.complete('bare');
    run.complete('clean');
    // then
    expect(requestsByElement).to.deep.equal({
      bare: { taint: ['webhook'], effect: null },
      clean: { taint: [], effect: null },
      dirty: { taint: ['webhook'], effect: 'write' },
    });
  });

  describe('with agents', () => {
    it('should mark later calls of an agent and its output once the agent has seen tainted data', async () => {
      // given
      const run = await AgentRun.createWithTask(agentTask('a'), {});
      // when
      run.turn([call('read.one'), write('write.one')]);
      // then
      expect(run.call('write.one')).to.deep.include({ taint: [], status: 'job' });
      // when
      run.result('read.one', 'text', { taint: ['tool:read.one'] });
      run.result('write.one', 'text');
      run.turn([write('write.two'), call('read.two')], { taint: ['webhook'] });
      // then
      expect(run.call('write.two')).to.deep.include({ taint: ['tool:read.one', 'webhook'], status: 'approval' });
      expect(run.call('read.two').status).to.equal('job');
      expect(run.getPendingApproval('write.two').rationale).to.contain('tool:read.one, webhook');
      // when
      run.decide('write.two', 'reject');
      run.result('read.two');
      run.turn({ label: 'bug' });
      // then
      expect(taints(run)).to.deep.equal({ label: ['agent:triage', 'tool:read.one', 'webhook'] });
    });

    it('should not mark the output of an agent that has seen no tainted data', async () => {
      const run = await AgentRun.createWithTask();
      run.turn({ label: 'bug' });
      expect(taints(run)).to.deep.equal({});
    });

    it('should mark the output of an external agent', async () => {
      const run = await AgentRun.createWithTask();
      run.do({
        type: 'job.complete',
        actor: user('w'),
        jobId: run.turnJob().jobId,
        output: { label: 'bug' },
        agentName: 'other',
      });
      expect(taints(run)).to.deep.equal({ label: ['agent:other'] });
    });

    it('should require approval of a tainted write, unless the policy accepts the taint', async () => {
      const run = await AgentRun.createWithTask(
        agentTask('a'),
        {},
        (each) =>
          (each.policy = (request) => ({
            ...allow(request),
            ...(request.call?.tool === 'write.two' ? { acceptsTaint: true as const } : {}),
          })),
      );
      run.turn([write('write.one'), write('write.two')], { taint: ['upload'] });
      expect([run.call('write.one').status, run.call('write.two').status]).to.deep.equal(['approval', 'job']);
    });
  });
});
