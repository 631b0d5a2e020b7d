import type { CompensationProgress, ElementInstance, QueuedCompensation } from '@countersign/model';
import { cancelInstance } from '../cancel-instance.js';
import { fireEvent } from '../events/trigger.js';
import type { Execution } from '../execution.js';
import { scheduleLeave } from '../steps.js';

/**
 * Runs compensation handlers one after the other, last completed activity first. Handlers for the instances of a
 * parallel multi-instance activity run concurrently, because the instances are independent (BPMN 2.0, 13.5.5).
 *
 * @param holderKey the instance that waits for the handlers: the throwing event, or the scope that is compensated
 * @returns whether there is anything to compensate; if not, nothing is changed
 */
export function* compensate(
  execution: Execution,
  holderKey: number,
  queue: readonly QueuedCompensation[],
  then: CompensationProgress['then'],
): Generator<void, boolean> {
  if (queue.length === 0) return false;
  const holder = execution.get(holderKey);
  const progressBefore = holder.compensating;
  execution.put({
    ...holder,
    compensating: { queue: [...(progressBefore?.queue ?? []), ...queue], active: progressBefore?.active ?? 0, then },
  });
  const [elements, steps] = [queue.map((each) => each.elementId), queue.map((each) => each.stepId)];
  execution.emit('compensation.started', holder, { elements, steps });
  yield* compensateNext(execution, holderKey);
  return true;
}

/** Records that a handler has ended, and starts the next one. */
export function* onHandlerEnded(execution: Execution, holderKey: number): Generator<void, void> {
  const holder = execution.find(holderKey);
  if (holder?.compensating === undefined) return;
  const { compensating } = holder;
  execution.put({ ...holder, compensating: { ...compensating, active: compensating.active - 1 } });
  yield* compensateNext(execution, holder.key);
}

function* compensateNext(execution: Execution, holderKey: number): Generator<void, void> {
  const holder = execution.get(holderKey);
  const { compensating } = holder;
  if (compensating === undefined || compensating.active > 0) return;
  const next = takeConcurrentEntries(compensating.queue);
  if (next.length === 0) return yield* finishCompensation(execution, holder, compensating.then);
  execution.put({
    ...holder,
    compensating: { ...compensating, queue: compensating.queue.slice(next.length), active: next.length },
  });
  for (const each of next) startHandler(execution, holder, each);
}

/** Returns the first entry and the following ones that belong to the same parallel activity. */
function takeConcurrentEntries([first, ...others]: readonly QueuedCompensation[]): readonly QueuedCompensation[] {
  if (first === undefined) return [];
  if (first.turnOf === undefined) return [first];
  const end = others.findIndex(({ turnOf }) => turnOf !== first.turnOf);
  return [first, ...(end === -1 ? others : others.slice(0, end))];
}

function startHandler(
  execution: Execution,
  holder: ElementInstance,
  { handler, stepId, elementId, variables, taints, inner }: QueuedCompensation,
): void {
  execution.scheduleEnter({
    node: execution.node(handler),
    scope: findHandlerScope(execution, holder),
    via: null,
    event: {},
    seed: {
      compensates: holder.key,
      undoes: { stepId, elementId },
      ...(Object.keys(variables).length === 0 ? {} : { variables }),
      ...(taints === undefined ? {} : { taints }),
      ...(inner === undefined ? {} : { compensations: inner }),
    },
  });
}

/**
 * Returns the scope of a handler: the one around the throwing event, or the one being cancelled. The activity's own
 * scope may no longer exist.
 */
function findHandlerScope(execution: Execution, holder: ElementInstance): number {
  return execution.graph.nodes.get(holder.elementId)?.kind === 'throw' || isEndEvent(execution, holder)
    ? (holder.parent ?? holder.key)
    : holder.key;
}

function isEndEvent(execution: Execution, holder: ElementInstance): boolean {
  return execution.graph.nodes.get(holder.elementId)?.kind === 'endEvent';
}

function* finishCompensation(
  execution: Execution,
  holder: ElementInstance,
  then: CompensationProgress['then'],
): Generator<void, void> {
  const { compensating: _done, ...instanceAfterCompensation } = holder;
  execution.put(instanceAfterCompensation);
  execution.emit('compensation.completed', instanceAfterCompensation, {});
  switch (then) {
    case 'leave':
      scheduleLeave(execution, instanceAfterCompensation, null);
      return;
    case 'settle':
      execution.agenda.push({ type: 'scope', key: instanceAfterCompensation.key });
      return;
    case 'cancelTransaction':
      yield* endTransaction(execution, instanceAfterCompensation);
      return;
    case 'cancelRun':
      execution.update({ outcome: 'cancelled', completedAt: execution.now });
      execution.emit('run.cancelled', null, {});
      return;
  }
}

/** Leaves a cancelled transaction by its cancel boundary event (BPMN 2.0, 10.5.5 "Cancel" and 13.3.4). */
export function* endTransaction(execution: Execution, transaction: ElementInstance): Generator<void, void> {
  const node = execution.node(transaction.elementId);
  for (const id of node.boundaryEvents) {
    const event = execution.node(id);
    if (event.kind === 'boundaryEvent' && event.triggers.some((each) => each.kind === 'cancel')) {
      yield* fireEvent(execution, transaction, event, {});
      return;
    }
  }
  yield* cancelInstance(execution, transaction, 'transaction_cancelled');
  if (transaction.parent !== null) execution.agenda.push({ type: 'scope', key: transaction.parent });
}
