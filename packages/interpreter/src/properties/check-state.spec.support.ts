import type { ElementInstance, FlowNode, RunState, Wait, WorkflowGraph } from '@countersign/model';
import { checkAgent, checkTaints } from './check-agent.spec.support.js';
import { assertProperty } from './violation.spec.support.js';

/**
 * Checks a state between two commands: tokens are at possible elements, every active part has a wait, and every wait
 * belongs to an active part.
 */
export function checkState(graph: WorkflowGraph, state: RunState): void {
  const instances = Object.values(state.instances);
  const children = new Map<number, ElementInstance[]>();
  for (const each of instances)
    if (each.parent !== null) children.set(each.parent, [...(children.get(each.parent) ?? []), each]);
  const root = state.instances[state.root];
  assertProperty(root !== undefined && root.parent === null, 'the root of the run is an instance without a parent');
  assertProperty(
    instances.every((each) => each.parent !== null || each.key === state.root),
    'only the root has no parent',
  );
  if (state.outcome !== null) checkEnd(state, root);
  else for (const each of instances) checkInstance(graph, state, each, children.get(each.key) ?? []);
  checkIds(instances);
}

function checkEnd(state: RunState, root: ElementInstance): void {
  assertProperty(Object.keys(state.instances).length === 1, 'a run that has ended has no instances except the root');
  assertProperty(state.completedAt !== null, 'a run that has ended has a completion time');
  for (const field of ['waits', 'joins', 'resets', 'incident', 'compensating'] as const) {
    assertProperty(root[field] === undefined, `a run that has ended has no ${field}`);
  }
}

function checkInstance(
  graph: WorkflowGraph,
  state: RunState,
  instance: ElementInstance,
  children: readonly ElementInstance[],
): void {
  const label = `${instance.elementId} (${instance.key})`;
  assertProperty(
    instance.key <= state.counter && instance.enteredSeq <= state.entered,
    `the counters of the run include ${label}`,
  );
  checkWaits(graph, instance, label);
  if (instance.agent !== undefined) checkAgent(instance, instance.agent, label);
  checkTaints(state, instance, label);
  checkJoins(graph, instance, label);
  checkCompensation(state, instance, label);
  if (instance.parent === null) {
    assertProperty(isBusy(instance, children), 'a process in which nothing is active has ended');
    return;
  }
  const node = graph.nodes.get(instance.elementId);
  const parent = state.instances[instance.parent];
  assertProperty(
    node !== undefined && parent !== undefined,
    `${label} is an element of the model and has an active parent`,
  );
  // A handler is in the scope of the throw event, regardless of the scope of the compensated activity.
  if (instance.compensates === undefined) {
    const isLoopInstance = parent.loop !== undefined;
    assertProperty(
      isLoopInstance ? parent.elementId === instance.elementId : node.scopeId === parent.elementId,
      `${label} has the parent that the model defines`,
    );
    assertProperty(
      isLoopInstance === (instance.loopCounter !== undefined),
      `${label} has a loop counter if and only if its parent is a loop`,
    );
  }
  assertProperty(
    instance.incident !== undefined || isActive(node, instance, children),
    `${label} (${node.kind}) is active or has an incident`,
  );
}

/** Returns whether an instance is active, judging by its waits and its children. */
function isActive(node: FlowNode, instance: ElementInstance, children: readonly ElementInstance[]): boolean {
  const countOwnWaits = (...kinds: Wait['kind'][]): number =>
    (instance.waits ?? []).filter((wait) => kinds.includes(wait.kind) && isOwnWait(instance, wait)).length;
  if (instance.loop !== undefined) return isBusy(instance, children);
  assertProperty(isScope(node) || children.length === 0, `${node.id} has children only if it is a scope`);
  switch (node.kind) {
    case 'jobTask':
      return instance.agent === undefined
        ? countOwnWaits('job') === 1
        : countOwnWaits('job', 'approval', 'question') > 0;
    case 'userTask':
      return countOwnWaits('approval') === 1;
    case 'callActivity':
      return countOwnWaits('child') === 1;
    case 'catch':
      return countOwnWaits('message', 'signal', 'timer', 'condition') > 0;
    case 'startEvent':
      // A start event that has started a run and waits for further events.
      return node.parallelMultiple && countOwnWaits('message', 'signal') > 0;
    case 'eventGateway':
      return (instance.waits ?? []).length > 0;
    case 'throw':
    case 'endEvent':
      return instance.compensating !== undefined;
    case 'subProcess':
    case 'adHocSubProcess':
    case 'eventSubProcess':
      return isBusy(instance, children);
    default:
      // Tokens pass all other nodes within one command.
      return false;
  }
}

function isScope({ kind }: FlowNode): boolean {
  return kind === 'subProcess' || kind === 'adHocSubProcess' || kind === 'eventSubProcess';
}

function isBusy(scope: ElementInstance, children: readonly ElementInstance[]): boolean {
  return (
    children.length > 0 ||
    scope.joins !== undefined ||
    scope.resets !== undefined ||
    scope.compensating !== undefined ||
    scope.incident !== undefined
  );
}

function isOwnWait(instance: ElementInstance, wait: Wait): boolean {
  return !('elementId' in wait) || wait.elementId === instance.elementId;
}

/** Checks that each wait belongs to the element, its boundary events, the events after it or the events in it. */
function checkWaits(graph: WorkflowGraph, instance: ElementInstance, label: string): void {
  const node = graph.nodes.get(instance.elementId);
  for (const wait of instance.waits ?? []) {
    if (!('elementId' in wait)) {
      const isAgentWait = wait.kind === 'question' || ('callId' in wait && wait.callId !== undefined);
      const kind = isAgentWait
        ? 'jobTask'
        : { job: 'jobTask', approval: 'userTask', child: 'callActivity' }[
            wait.kind as Exclude<typeof wait.kind, 'question'>
          ];
      assertProperty(
        node?.kind === kind && (!isAgentWait || instance.agent !== undefined),
        `the waits of ${label} match its kind`,
      );
      continue;
    }
    const event = graph.nodes.get(wait.elementId);
    assertProperty(event !== undefined, `${label} waits for an event of the model`);
    const isAttached =
      event.kind === 'boundaryEvent' && event.attachedTo === instance.elementId && instance.loopCounter === undefined;
    const isEventSubProcessStart =
      event.kind === 'startEvent' &&
      graph.nodes.get(event.scopeId)?.scopeId === instance.elementId &&
      instance.loop === undefined;
    const isAfterGateway = node?.kind === 'eventGateway' && node.outgoing.some((flow) => flow.targetId === event.id);
    assertProperty(
      isAttached || isEventSubProcessStart || isAfterGateway || event.id === instance.elementId,
      `${event.id}, for which ${label} waits, is the element itself, attached to it, after it or in it`,
    );
  }
}

function checkJoins(graph: WorkflowGraph, { elementId, joins, resets, loop }: ElementInstance, label: string): void {
  for (const [id, waiting] of Object.entries(joins ?? {})) {
    const gateway = graph.nodes.get(id);
    assertProperty(
      gateway !== undefined && gateway.scopeId === elementId && loop === undefined,
      `the join ${id} is in the scope ${label}`,
    );
    const flows = gateway.incoming.map((flow) => flow.id);
    assertProperty(
      Object.entries(waiting).every(([flow, count]) => flows.includes(flow) && count > 0),
      `the tokens at ${id} arrived by its incoming flows`,
    );
    assertProperty(Object.keys(waiting).length > 0, `at least one token waits at ${id}`);
    if (gateway.kind === 'parallelGateway')
      assertProperty(!flows.every((flow) => waiting[flow] !== undefined), `the join ${id} still lacks a token`);
  }
  for (const [id, taken] of Object.entries(resets ?? {})) {
    assertProperty(
      graph.nodes.get(id)?.kind === 'complexGateway' && taken.length > 0,
      `${id} is a complex gateway that has been activated and waits for its reset`,
    );
  }
}

/** Checks that a compensation handler is active if and only if an instance waits for it. */
function checkCompensation(state: RunState, instance: ElementInstance, label: string): void {
  const handlers = Object.values(state.instances).filter((each) => each.compensates === instance.key);
  assertProperty(
    handlers.length === (instance.compensating?.active ?? 0),
    `${label} counts its active compensation handlers`,
  );
  assertProperty(
    instance.compensating === undefined || handlers.length > 0,
    `${label} has an active compensation handler while it compensates`,
  );
  if (instance.compensates !== undefined)
    assertProperty(
      state.instances[instance.compensates]?.compensating !== undefined,
      `the instance that ${label} compensates for is compensating`,
    );
}

function checkIds(instances: readonly ElementInstance[]): void {
  const ids = instances.flatMap((each) => [
    each.stepId,
    ...(each.waits ?? []).flatMap((wait) => getWaitId(wait) ?? []),
  ]);
  assertProperty(new Set(ids).size === ids.length, 'all ids are unique');
}

export function getWaitId(wait: Wait): string | undefined {
  switch (wait.kind) {
    case 'job':
      return wait.jobId;
    case 'approval':
      return wait.approval.approvalId;
    case 'question':
      return wait.question.questionId;
    case 'message':
    case 'signal':
      return wait.subscriptionId;
    case 'timer':
      return wait.timerId;
    case 'child':
      return wait.childRunId;
    case 'condition':
      return undefined;
  }
}
