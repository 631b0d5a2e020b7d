import { expect } from 'chai';
import {
  type AdvanceContext,
  canonicalJson,
  chainEvents,
  chainEventsInPieces,
  type Command,
  type ElementInstance,
  GENESIS_HASH,
  type Json,
  type JsonObject,
  PersonSalts,
  type RecoverCommand,
  type RunState,
  sha256Hex,
  type TimerWait,
  WHOLE_RUN,
  type WorkflowGraph,
} from '@countersign/model';
import { EMPTY_ERASURE } from '@countersign/model/testing';
import { advance, advanceInPieces } from './advance.js';
import { allow, flows, compileGraph, RUN_ID, T0, TestRun, user } from './interpreter.spec.support.js';
import { MoreEventsNeeded, replayCommand } from './replay/replay.js';

const ITEM_COUNT = 300;

const createSalt = (): string => 'ab'.repeat(16);

const LOOP =
  '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>';

const compileParallelApprovals = (): Promise<WorkflowGraph> =>
  compileGraph(
    `<bpmn:startEvent id="s"/><bpmn:userTask id="each">${LOOP}</bpmn:userTask><bpmn:endEvent id="e"/>${flows('s > each', 'each > e')}`,
  );

const context: AdvanceContext = {
  now: T0,
  policy: allow,
  settings: {
    separationOfDuties: true,
    excludeDeployers: false,
    requireDigest: false,
    retryBackoffMs: 1,
    retryBackoffMaxMs: 1,
  },
};

const buildStartCommand = (items: Json[]) =>
  ({
    type: 'start',
    actor: user('ann'),
    runId: RUN_ID,
    workflowVersion: 1,
    workflowDigest: 'sha256:0',
    businessKey: null,
    inputs: { items, other: 'ä', a: { b: 1 } },
  }) as const;

/** Creates a list that counts how often it is read to its end. */
function createCountedList(length: number): { items: Json[]; readings: () => number } {
  let readings = 0;
  const items = new Proxy(
    Array.from({ length }, (_, index): Json => index),
    {
      get: (target, key, receiver) => {
        if (key === String(length - 1)) readings += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    },
  );
  return { items, readings: () => readings };
}

describe('a command that enters many elements', () => {
  it('should yield between two elements, and return the same result as without pauses', async () => {
    // given
    const graph = await compileParallelApprovals();
    const command = buildStartCommand(Array.from({ length: ITEM_COUNT }, (_, index) => index));

    // when
    const pieces = advanceInPieces(graph, null, command, context);
    let pauses = 0;
    let step = pieces.next();
    for (; step.done !== true; step = pieces.next()) pauses += 1;

    // then
    expect(pauses).to.be.greaterThan(ITEM_COUNT);
    expect(step.value).to.deep.equal(advance(graph, null, command, context));
    const events = step.value.events;
    expect([
      ...chainEventsInPieces(RUN_ID, GENESIS_HASH, events, createSalt, new PersonSalts(undefined, () => createSalt())),
    ]).to.have.length(events.length);
  });

  it('should yield for each element and event in a replay, and stop early when later events are missing', async () => {
    // given
    const graph = await compileParallelApprovals();
    const { events: drafts, state } = advance(
      graph,
      null,
      buildStartCommand(Array.from({ length: ITEM_COUNT }, (_, index) => index)),
      context,
    );
    const [firstEvent, ...laterEvents] = chainEvents(
      RUN_ID,
      GENESIS_HASH,
      drafts,
      createSalt,
      new PersonSalts(undefined, () => createSalt()),
    );
    if (firstEvent === undefined) throw new Error('the start command has no events');
    const sources = { facts: { runId: RUN_ID, parent: null }, findGraph: () => graph };

    // when
    const pieces = replayCommand(null, [firstEvent, ...laterEvents], sources, 0);
    let pauses = 0;
    let step = pieces.next();
    for (; step.done !== true; step = pieces.next()) pauses += 1;
    const truncatedReplay = replayCommand(null, [firstEvent, ...laterEvents.slice(0, 9)], sources, 0);
    let wastedSteps = 0;
    const proceed = (): void => {
      while (truncatedReplay.next().done !== true) wastedSteps += 1;
    };

    // then
    expect(pauses).to.be.greaterThan(ITEM_COUNT + drafts.length);
    expect(Object.keys(step.value.position.state.instances)).to.deep.equal(Object.keys(state.instances));
    expect(proceed).to.throw(MoreEventsNeeded);
    expect(wastedSteps).to.be.lessThan(ITEM_COUNT / 10);
  });

  it('should read a list that is part of every subject a fixed number of times', async () => {
    // given
    const graph = await compileParallelApprovals();
    const readings = await Promise.all(
      [ITEM_COUNT, ITEM_COUNT * 2].map(async (length) => {
        const { items, readings: readCount } = createCountedList(length);
        advance(graph, null, buildStartCommand(items), context);
        return readCount();
      }),
    );

    // then: each loop instance reads its own item; other reads of the list do not depend on their number
    expect(readings[1]).to.equal(readings[0]);
  });

  it('should give each approval the digest of its subject', async () => {
    const graph = await compileParallelApprovals();
    const { requests } = advance(graph, null, buildStartCommand([1, { b: null, a: 'ö' }, ['x', 1.5e300]]), context);
    const approvals = requests.flatMap((request) => (request.type === 'approval.open' ? [request.approval] : []));

    expect(approvals).to.have.length(3);
    for (const { digest, subject } of approvals) expect(digest).to.equal(`sha256:${sha256Hex(canonicalJson(subject))}`);
  });
});

/** A command that affects many elements of a run, and the state before it. */
interface LargeCommand {
  readonly graph: WorkflowGraph;
  readonly state: RunState;
  readonly command: Command;
  readonly context: AdvanceContext;
  /**
   * Number of passes over all elements. A migration makes seven: it checks them, plans their events, finds those whose
   * job changes, moves them, excludes the operator from their approvals, finds child runs to notify, and restarts or
   * reassesses them.
   */
  readonly passes?: number;
}

const userTasks = (id: string): string => `<bpmn:userTask id="${id}">${LOOP}</bpmn:userTask>`;
const serviceTasks = (id: string, type: string): string =>
  `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${type}"/></bpmn:extensionElements>${LOOP}</bpmn:serviceTask>`;
const wrapTasks = (tasks: string): string =>
  `<bpmn:startEvent id="s"/>${tasks}<bpmn:endEvent id="e"/>${flows('s > each', 'each > e')}`;
const STOP_MESSAGE_DEFINITION = '<bpmn:messageEventDefinition messageRef="stop"/>';
const CONDITION =
  '<bpmn:conditionalEventDefinition><bpmn:condition>=limit &gt; 5</bpmn:condition></bpmn:conditionalEventDefinition>';
const EVIDENCE_EXTENSION =
  '<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.evidence" value="report"/></zeebe:properties></bpmn:extensionElements>';

async function startRun(elements: string, inputs: JsonObject = {}, count = ITEM_COUNT): Promise<TestRun> {
  const run = await TestRun.of(elements);
  run.start({ items: Array.from({ length: count }, (_, index) => index), key: 'k', ...inputs });
  return run;
}

function buildLargeCommand(run: TestRun, command: Command, overrides: Partial<AdvanceContext> = {}): LargeCommand {
  if (run.state === null) throw new Error('the run has not started');
  return { graph: run.graph, state: run.state, command, context: { ...run.context(), ...overrides } };
}

const buildCorrelation = (run: TestRun, elementId: string): Command => ({
  type: 'message.correlate',
  actor: user('eve'),
  subscriptionId: run.wait(elementId, 'message').subscriptionId,
  payload: {},
});

const buildMigration = async (tasks: string, target: string): Promise<LargeCommand> => {
  const command: Command = {
    type: 'migrate',
    actor: user('otto'),
    workflowVersion: 2,
    workflowDigest: 'sha256:2',
    mapping: {},
    comment: null,
  };
  const overrides = { target: await compileGraph(wrapTasks(target)), claimedJobs: new Set<string>() };
  return { ...buildLargeCommand(await startRun(wrapTasks(tasks)), command, overrides), passes: 7 };
};

const buildRecovery = (overrides: Partial<RecoverCommand> = {}): RecoverCommand => ({
  type: 'recover',
  actor: user('otto'),
  steps: null,
  variables: null,
  comment: null,
  ...overrides,
});

const COMMANDS: Readonly<Record<string, () => Promise<LargeCommand>>> = {
  'recover, steps that now succeed': async () =>
    buildLargeCommand(
      await startRun(wrapTasks(serviceTasks('each', '=kind'))),
      buildRecovery({ variables: { kind: 'x' } }),
    ),
  'recover, steps that fail again': async () =>
    buildLargeCommand(await startRun(wrapTasks(serviceTasks('each', '=kind'))), buildRecovery()),
  'migrate, of approvals': () => buildMigration(userTasks('each'), userTasks('each')),
  'migrate, of jobs': () => buildMigration(serviceTasks('each', 'x'), serviceTasks('each', 'x')),
  'migrate, of jobs whose type changes': () => buildMigration(serviceTasks('each', 'x'), serviceTasks('each', 'y')),
  'cancel': async () =>
    buildLargeCommand(await startRun(wrapTasks(userTasks('each'))), {
      type: 'cancel',
      actor: user('otto'),
      reason: 'r',
    }),
  'message.correlate, to an interrupting boundary event': async () => {
    const inner = `<bpmn:startEvent id="is"/>${userTasks('in')}<bpmn:endEvent id="ie"/>${flows('is > in', 'in > ie')}`;
    const run = await startRun(
      `${wrapTasks(`<bpmn:subProcess id="each">${inner}</bpmn:subProcess>`)}<bpmn:boundaryEvent id="b" attachedToRef="each">${STOP_MESSAGE_DEFINITION}</bpmn:boundaryEvent><bpmn:endEvent id="be"/>${flows('b > be')}`,
    );
    return buildLargeCommand(run, buildCorrelation(run, 'each'));
  },
  'message.correlate, before a terminate end event': async () => {
    const run = await startRun(
      `<bpmn:startEvent id="s"/><bpmn:parallelGateway id="g"/>${userTasks('each')}<bpmn:endEvent id="e"/><bpmn:intermediateCatchEvent id="c">${STOP_MESSAGE_DEFINITION}</bpmn:intermediateCatchEvent><bpmn:endEvent id="t"><bpmn:terminateEventDefinition/></bpmn:endEvent>${flows('s > g', 'g > each', 'each > e', 'g > c', 'c > t')}`,
    );
    return buildLargeCommand(run, buildCorrelation(run, 'c'));
  },
  'timer.fire, to an interrupting event sub-process': async () => {
    const timer =
      '<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>';
    const run = await startRun(
      `${wrapTasks(userTasks('each'))}<bpmn:subProcess id="late" triggeredByEvent="true"><bpmn:startEvent id="ls">${timer}</bpmn:startEvent><bpmn:endEvent id="le"/>${flows('ls > le')}</bpmn:subProcess>`,
    );
    const { timerId } = Object.values(run.state?.instances ?? {})
      .flatMap(({ waits = [] }) => waits)
      .find((wait): wait is TimerWait => wait.kind === 'timer') ?? { timerId: '' };
    return buildLargeCommand(run, { type: 'timer.fire', actor: { type: 'system', id: 'timers', name: null }, timerId });
  },
  'contributors.add, of an approver who becomes excluded': async () =>
    buildLargeCommand(await startRun(wrapTasks(userTasks('each'))), {
      type: 'contributors.add',
      actor: { type: 'system', id: 'runs', name: null },
      contributors: ['eve'],
    }),
  'artifact.record, of evidence that many approvals pin': async () => {
    const run = await startRun(wrapTasks(userTasks('each').replace('<bpmn:multi', `${EVIDENCE_EXTENSION}<bpmn:multi`)));
    return buildLargeCommand(run, {
      type: 'artifact.record',
      actor: user('eve'),
      artifactId: 'a',
      name: 'report',
      size: 1,
      sha256: 'ab',
      contentType: 'text/plain',
    });
  },
  'job.complete, with conditions that become true': async () => {
    const inner = `<bpmn:startEvent id="is"/><bpmn:intermediateCatchEvent id="ic">${CONDITION}</bpmn:intermediateCatchEvent><bpmn:endEvent id="ie"/>${flows('is > ic', 'ic > ie')}`;
    const run = await startRun(
      `<bpmn:startEvent id="s"/><bpmn:parallelGateway id="g"/><bpmn:subProcess id="each">${inner}${LOOP}</bpmn:subProcess><bpmn:endEvent id="e"/><bpmn:serviceTask id="j"><bpmn:extensionElements><zeebe:taskDefinition type="j"/></bpmn:extensionElements></bpmn:serviceTask>${flows('s > g', 'g > each', 'each > e', 'g > j', 'j > e')}`,
      { limit: 0 },
    );
    const { jobId } = run.wait('j', 'job');
    return buildLargeCommand(run, {
      type: 'job.complete',
      actor: user('worker'),
      jobId,
      output: { limit: 7 },
      agentName: null,
    });
  },
  'personal_data.erase': async () => {
    const run = await startRun(wrapTasks(userTasks('each')));
    const { state } = run;
    if (state === null) throw new Error('the run has not started');
    run.state = { ...state, outcome: 'failed' };
    return buildLargeCommand(run, {
      type: 'personal_data.erase',
      actor: user('root'),
      reason: 'r',
      scope: WHOLE_RUN,
      personId: null,
      expectedSeq: state.seq,
      erasure: EMPTY_ERASURE,
      artifactNames: {},
      decisions: [],
    });
  },
};

describe('a command that affects many elements of a run', () => {
  for (const [name, prepare] of Object.entries(COMMANDS)) {
    it(`should yield for each element, with fewer than six events between pauses (${name})`, async () => {
      // given
      const { graph, state, command, context: commandContext, passes = 1 } = await prepare();
      const serializedState = JSON.stringify(state);
      let [emitted, maxEventsBetweenPauses, pauses] = [0, 0, 0];
      const observer = { onEventEmitted: () => void (emitted += 1), onFlowTaken: () => undefined };

      // when
      const pieces = advanceInPieces(graph, state, command, { ...commandContext, observer });
      let step = pieces.next();
      for (; ; step = pieces.next()) {
        maxEventsBetweenPauses = Math.max(maxEventsBetweenPauses, emitted);
        emitted = 0;
        if (step.done === true) break;
        pauses += 1;
      }

      // then
      expect(step.value.refusal).to.equal(null);
      expect(pauses).to.be.least(ITEM_COUNT * passes);
      expect(maxEventsBetweenPauses).to.be.lessThan(6);
      expect(step.value).to.deep.equal(advance(graph, state, command, commandContext));
      expect(JSON.stringify(state)).to.equal(serializedState);
    });
  }

  it('should copy the rounds of a scope once when many approvals are requested again', async () => {
    // given
    const { graph, state, command, context: commandContext } = await COMMANDS['migrate, of approvals']!();
    const seenRounds = new Set<unknown>();
    const observer = {
      onEventEmitted: (now: RunState) => void seenRounds.add(now.instances[now.root]?.rounds),
      onFlowTaken: () => undefined,
    };

    // when
    const { state: stateAfter } = advance(graph, state, command, { ...commandContext, observer });

    // then
    expect(Object.keys(stateAfter.instances[stateAfter.root]?.rounds ?? {})).to.have.length(ITEM_COUNT);
    expect(seenRounds).to.have.property('size', 2);
  });

  it('should read the parents of instances a number of times that is linear in the number of scopes', async () => {
    // given
    const inner = `<bpmn:startEvent id="is"/><bpmn:userTask id="in"/><bpmn:endEvent id="ie"/>${flows('is > in', 'in > ie')}`;
    const readings = async (count: number): Promise<number> => {
      const run = await startRun(wrapTasks(`<bpmn:subProcess id="each">${inner}${LOOP}</bpmn:subProcess>`), {}, count);
      let readCount = 0;
      const watchReads = (instance: ElementInstance): ElementInstance =>
        new Proxy(instance, {
          get: (target, key, receiver) => {
            if (key === 'parent') readCount += 1;
            return Reflect.get(target, key, receiver) as unknown;
          },
        });
      const instances = Object.entries(run.state?.instances ?? {}).map(
        ([key, each]) => [key, watchReads(each)] as const,
      );
      run.state = run.state === null ? null : { ...run.state, instances: Object.fromEntries(instances) };
      run.do({ type: 'cancel', actor: user('otto'), reason: 'r' });
      return readCount;
    };

    // when
    const [readsWithFewSteps, readsWithManySteps] = [await readings(20), await readings(200)];

    // then
    expect(readsWithManySteps).to.be.lessThan(readsWithFewSteps * 11);
  });

  it('should read the list of steps to recover a number of times that is linear in its length', async () => {
    // given
    const run = await startRun(wrapTasks(serviceTasks('each', '=kind')));
    const failedStepIds = Object.values(run.state?.instances ?? {}).flatMap(({ incident, stepId }) =>
      incident === undefined ? [] : [stepId],
    );
    let readCount = 0;
    const steps = new Proxy(failedStepIds, {
      get: (target, key, receiver) => {
        readCount += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });

    // when
    const { refusal } = run.do(buildRecovery({ steps, variables: { kind: 'x' } }));

    // then
    expect(refusal).to.equal(null);
    expect(readCount).to.be.lessThan(ITEM_COUNT * 6);
  });
});
