import type { ElementInstance, FlowNode, RunState, Wait, WorkflowGraph } from '@countersign/model';
import { checkAgent, checkTaints } from './check-agent.spec.support.js';
import { must } from './violation.spec.support.js';

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
  must(root !== undefined && root.parent === null, 'the process has its instance');
  must(
    instances.every((each) => each.parent !== null || each.key === state.root),
    'only the process stands in nothing',
  );
  if (state.outcome !== null) checkEnd(state, root);
  else for (const each of instances) checkInstance(graph, state, each, children.get(each.key) ?? []);
  checkIds(instances);
}

function checkEnd(state: RunState, root: ElementInstance): void {
  must(Object.keys(state.instances).length === 1, 'a run that has ended holds no token');
  must(state.completedAt !== null, 'a run that has ended says when');
  for (const rest of ['waits', 'joins', 'resets', 'incident', 'compensating'] as const) {
    must(root[rest] === undefined, `a run that has ended has no ${rest}`);
  }
}

function checkInstance(
  graph: WorkflowGraph,
  state: RunState,
  instance: ElementInstance,
  children: readonly ElementInstance[],
): void {
  const where = `${instance.elementId} (${instance.key})`;
  must(instance.key <= state.counter && instance.enteredSeq <= state.entered, `${where} was counted`);
  checkWaits(graph, instance, where);
  if (instance.agent !== undefined) checkAgent(instance, instance.agent, where);
  checkTaints(state, instance, where);
  checkJoins(graph, instance, where);
  checkCompensation(state, instance, where);
  if (instance.parent === null) {
    must(isBusy(instance, children), 'a process that nothing is under way in has ended');
    return;
  }
  const node = graph.nodes.get(instance.elementId);
  const parent = state.instances[instance.parent];
  must(node !== undefined && parent !== undefined, `${where} is an element in a scope that lives`);
  // A handler is in the scope of the throw event, regardless of the scope of the compensated activity.
  if (instance.compensates === undefined) {
    const isTurn = parent.loop !== undefined;
    must(
      isTurn ? parent.elementId === instance.elementId : node.scopeId === parent.elementId,
      `${where} stands in its scope`,
    );
    must(isTurn === (instance.loopCounter !== undefined), `${where} is a turn where it stands in a loop`);
  }
  must(
    instance.incident !== undefined || isUnderWay(node, instance, children),
    `${where} (${node.kind}) waits for something`,
  );
}

/** Returns whether an instance has a reason to exist. */
function isUnderWay(node: FlowNode, instance: ElementInstance, children: readonly ElementInstance[]): boolean {
  const own = (...kinds: Wait['kind'][]): number =>
    (instance.waits ?? []).filter((wait) => kinds.includes(wait.kind) && isOwn(instance, wait)).length;
  if (instance.loop !== undefined) return isBusy(instance, children);
  must(isScope(node) || children.length === 0, `${node.id} is no scope, and holds no tokens`);
  switch (node.kind) {
    case 'jobTask':
      return instance.agent === undefined ? own('job') === 1 : own('job', 'approval', 'question') > 0;
    case 'userTask':
      return own('approval') === 1;
    case 'callActivity':
      return own('child') === 1;
    case 'catch':
      return own('message', 'signal', 'timer', 'condition') > 0;
    case 'startEvent':
      // A start event that has started a run and waits for further events.
      return node.parallelMultiple && own('message', 'signal') > 0;
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

function isOwn(instance: ElementInstance, wait: Wait): boolean {
  return !('elementId' in wait) || wait.elementId === instance.elementId;
}

/** Checks that each wait belongs to the element, its boundary events, the events after it or the events in it. */
function checkWaits(graph: WorkflowGraph, instance: ElementInstance, where: string): void {
  const node = graph.nodes.get(instance.elementId);
  for (const wait of instance.waits ?? []) {
    if (!('elementId' in wait)) {
      const isOfAgent = wait.kind === 'question' || ('callId' in wait && wait.callId !== undefined);
      const kind = isOfAgent
        ? 'jobTask'
        : { job: 'jobTask', approval: 'userTask', child: 'callActivity' }[
            wait.kind as Exclude<typeof wait.kind, 'question'>
          ];
      must(node?.kind === kind && (!isOfAgent || instance.agent !== undefined), `${where} has a wait of its kind`);
      continue;
    }
    const event = graph.nodes.get(wait.elementId);
    must(event !== undefined, `${where} waits for an event of the model`);
    const isAttached =
      event.kind === 'boundaryEvent' && event.attachedTo === instance.elementId && instance.loopCounter === undefined;
    const isInside =
      event.kind === 'startEvent' &&
      graph.nodes.get(event.scopeId)?.scopeId === instance.elementId &&
      instance.loop === undefined;
    const isBehind = node?.kind === 'eventGateway' && node.outgoing.some((flow) => flow.targetId === event.id);
    must(
      isAttached || isInside || isBehind || event.id === instance.elementId,
      `${where} waits for ${event.id}, which is near`,
    );
  }
}

function checkJoins(graph: WorkflowGraph, { elementId, joins, resets, loop }: ElementInstance, where: string): void {
  for (const [id, waiting] of Object.entries(joins ?? {})) {
    const gateway = graph.nodes.get(id);
    must(gateway !== undefined && gateway.scopeId === elementId && loop === undefined, `${id} stands in ${where}`);
    const flows = gateway.incoming.map((flow) => flow.id);
    must(
      Object.entries(waiting).every(([flow, count]) => flows.includes(flow) && count > 0),
      `tokens at ${id} came by its flows`,
    );
    must(Object.keys(waiting).length > 0, `tokens wait at ${id}`);
    if (gateway.kind === 'parallelGateway')
      must(!flows.every((flow) => waiting[flow] !== undefined), `join ${id} has not all of its tokens`);
  }
  for (const [id, taken] of Object.entries(resets ?? {})) {
    must(graph.nodes.get(id)?.kind === 'complexGateway' && taken.length > 0, `${id} is a gateway that is reset`);
  }
}

/** Checks that a compensation handler is active if and only if an instance waits for it. */
function checkCompensation(state: RunState, instance: ElementInstance, where: string): void {
  const handlers = Object.values(state.instances).filter((each) => each.compensates === instance.key);
  must(handlers.length === (instance.compensating?.active ?? 0), `${where} waits for the handlers that are under way`);
  must(instance.compensating === undefined || handlers.length > 0, `${where} has a handler under way`);
  if (instance.compensates !== undefined)
    must(state.instances[instance.compensates]?.compensating !== undefined, `${where} is waited for`);
}

function checkIds(instances: readonly ElementInstance[]): void {
  const ids = instances.flatMap((each) => [each.stepId, ...(each.waits ?? []).flatMap((wait) => idOf(wait) ?? [])]);
  must(new Set(ids).size === ids.length, 'no id is there twice');
}

export function idOf(wait: Wait): string | undefined {
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
