import {
  type BoundaryEvent,
  type ElementInstance,
  type EventWait,
  type FlowNode,
  type JsonObject,
  computeNextCycleTime,
  type StartEvent,
  type Taints,
  type TimerWait,
  type Wait,
} from '@countersign/model';
import { cancelInstance, endChildren } from '../cancel-instance.js';
import type { Execution } from '../execution.js';
import { complete } from '../complete.js';
import { addWait, closeWaits, scheduleLeave } from '../steps.js';
import { mergeUpwards } from '../variables.js';

/** Handles an event that an instance waits for. */
export function* trigger(
  execution: Execution,
  holder: ElementInstance,
  wait: Wait & EventWait,
  payload: JsonObject,
  taints?: Taints,
): Generator<void, void> {
  const event = execution.node(wait.elementId);
  if (isAwaitingOtherTriggers(execution, holder, event, wait)) {
    // Parallel multiple (BPMN 2.0, 10.5.2): the other events have not happened yet.
    closeWaits(execution, execution.get(holder.key), (each) => each === wait);
    mergeUpwards(execution, execution.get(holder.key), payload, taints);
    return;
  }
  if (event.id === holder.elementId) {
    scheduleLeave(execution, closeWaits(execution, execution.get(holder.key)), payload, taints);
  } else if (event.kind === 'boundaryEvent' || event.kind === 'startEvent') {
    yield* fireEvent(execution, execution.get(holder.key), event, payload, taints, wait);
  } else {
    leaveEventGateway(execution, execution.get(holder.key), event, payload, taints);
  }
}

/** Handles a boundary event or the start event of an event sub-process, for every kind of trigger. */
export function* fireEvent(
  execution: Execution,
  holder: ElementInstance,
  event: BoundaryEvent | StartEvent,
  payload: JsonObject,
  taints?: Taints,
  wait?: Wait & EventWait,
): Generator<void, void> {
  if (!event.interrupting && wait !== undefined) keepWaiting(execution, holder, event.id, wait);
  if (event.kind === 'boundaryEvent') {
    if (event.interrupting) yield* cancelInstance(execution, holder, 'interrupted');
    execution.scheduleEnter({
      node: event,
      scope: getEnclosingScopeKey(execution, holder),
      via: null,
      event: payload,
      taints,
    });
    return;
  }
  if (event.interrupting) yield* interruptScope(execution, holder);
  execution.scheduleEnter({
    node: execution.node(event.scopeId),
    scope: holder.key,
    via: null,
    event: payload,
    taints,
  });
}

/**
 * Cancels all instances in the scope of an interrupting event sub-process, including other event sub-processes (BPMN
 * 2.0, 13.5.4).
 */
function* interruptScope(execution: Execution, scope: ElementInstance): Generator<void, void> {
  yield* endChildren(execution, scope.key, 'interrupted');
  const starts = new Set(findEventSubProcessStarts(execution, scope).map((start) => start.id));
  closeWaits(execution, execution.get(scope.key), (wait) => 'elementId' in wait && starts.has(wait.elementId));
}

/** Returns the start events of the event sub-processes in a scope, in document order. */
export function findEventSubProcessStarts(execution: Execution, scope: ElementInstance): StartEvent[] {
  // Event sub-processes belong to each loop instance, not to the loop body.
  if (scope.loop !== undefined) return [];
  const ids = execution.graph.scopes.get(scope.elementId)?.eventSubProcesses ?? [];
  return ids.flatMap((id) => {
    const node = execution.node(id);
    const start = node.kind === 'eventSubProcess' ? execution.node(node.startEvent) : undefined;
    return start?.kind === 'startEvent' ? [start] : [];
  });
}

/** Moves the token from an event-based gateway to the event that occurred first (BPMN 2.0, 13.4.4). */
function leaveEventGateway(
  execution: Execution,
  gateway: ElementInstance,
  event: FlowNode,
  payload: JsonObject,
  taints: Taints | undefined,
): void {
  closeWaits(execution, gateway);
  complete(execution, execution.node(gateway.elementId), execution.get(gateway.key), null);
  if (gateway.parent === null) return;
  const via = execution.node(gateway.elementId).outgoing.find((flow) => flow.targetId === event.id)?.id ?? null;
  execution.scheduleEnter({ node: event, scope: gateway.parent, via, event: payload, taints });
}

/**
 * Returns the key of the scope around an instance. A boundary event of a loop is attached to the loop, not to its
 * instances.
 */
function getEnclosingScopeKey(execution: Execution, holder: ElementInstance): number {
  return holder.parent ?? execution.state.root;
}

function isAwaitingOtherTriggers(execution: Execution, holder: ElementInstance, event: FlowNode, wait: Wait): boolean {
  if (!('parallelMultiple' in event) || !event.parallelMultiple) return false;
  const waits = execution.get(holder.key).waits ?? [];
  return waits.some((each) => each !== wait && 'elementId' in each && each.elementId === event.id);
}

/**
 * Keeps a non-interrupting event waiting, because it may occur again. Subscriptions stay open; a timer is closed or, if
 * it has a cycle, replaced by one for the next due date. The other waits of a parallel multiple event are already
 * closed.
 */
function keepWaiting(execution: Execution, holder: ElementInstance, eventId: string, wait: Wait & EventWait): void {
  if (wait.kind !== 'timer') return;
  closeWaits(execution, holder, (each) => each === wait);
  const nextWait = wait.cycle === undefined ? undefined : scheduleNextCycle(wait, execution.now);
  if (nextWait === undefined) return;
  const timerId = execution.nextId();
  addWait(execution, holder.key, { ...nextWait, timerId, elementId: eventId, since: execution.now });
  execution.request({ type: 'timer.arm', timerId, stepId: holder.stepId, dueAt: nextWait.dueAt });
}

function scheduleNextCycle({ cycle, ...wait }: TimerWait, now: number): TimerWait | undefined {
  const next = cycle === undefined ? undefined : computeNextCycleTime(cycle.text, wait.dueAt, cycle.left, now);
  return next === undefined || cycle === undefined
    ? undefined
    : { ...wait, dueAt: next.dueAt, cycle: { text: cycle.text, left: next.left } };
}
