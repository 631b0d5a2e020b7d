import {
  type BoundaryEvent,
  type ElementInstance,
  type EventWait,
  type FlowNode,
  type JsonObject,
  nextDue,
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
    takeAlternative(execution, execution.get(holder.key), event, payload, taints);
  }
}

/** Handles a boundary event or the start event of an event sub-process, whatever caused it. */
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
      scope: enclosingScopeKey(execution, holder),
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
 * Ends everything else in the scope of an interrupting event sub-process, other event sub-processes included (BPMN 2.0,
 * 13.5.4).
 */
function* interruptScope(execution: Execution, scope: ElementInstance): Generator<void, void> {
  yield* endChildren(execution, scope.key, 'interrupted');
  const starts = new Set(eventSubProcessStarts(execution, scope).map((start) => start.id));
  closeWaits(execution, execution.get(scope.key), (wait) => 'elementId' in wait && starts.has(wait.elementId));
}

/** Returns the start events of the event sub-processes in a scope, in document order. */
export function eventSubProcessStarts(execution: Execution, scope: ElementInstance): StartEvent[] {
  // They belong to each loop instance, not to the loop body.
  if (scope.loop !== undefined) return [];
  const ids = execution.graph.scopes.get(scope.elementId)?.eventSubProcesses ?? [];
  return ids.flatMap((id) => {
    const node = execution.node(id);
    const start = node.kind === 'eventSubProcess' ? execution.node(node.startEvent) : undefined;
    return start?.kind === 'startEvent' ? [start] : [];
  });
}

/** Gives the token to the first event after an event-based gateway (BPMN 2.0, 13.4.4). */
function takeAlternative(
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

/** Returns the scope around an instance. A boundary event on a loop is attached to all its instances together. */
function enclosingScopeKey(execution: Execution, holder: ElementInstance): number {
  return holder.parent ?? execution.state.root;
}

function isAwaitingOtherTriggers(execution: Execution, holder: ElementInstance, event: FlowNode, wait: Wait): boolean {
  if (!('parallelMultiple' in event) || !event.parallelMultiple) return false;
  const waits = execution.get(holder.key).waits ?? [];
  return waits.some((each) => each !== wait && 'elementId' in each && each.elementId === event.id);
}

/**
 * Keeps a non-interrupting event waiting, because it may happen again. Subscriptions stay, and a timer is closed or,
 * for a cycle, set to its next time. The other triggers of an event that needs all of them are already closed.
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
  const next = cycle === undefined ? undefined : nextDue(cycle.text, wait.dueAt, cycle.left, now);
  return next === undefined || cycle === undefined
    ? undefined
    : { ...wait, dueAt: next.dueAt, cycle: { text: cycle.text, left: next.left } };
}
