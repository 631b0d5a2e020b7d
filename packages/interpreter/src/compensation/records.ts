import {
  type Compensation,
  type ElementInstance,
  type FlowNode,
  overlaid,
  type QueuedCompensation,
  type UndoneStep,
} from '@countersign/model';
import type { Execution } from '../execution.js';

/**
 * Keeps what could undo a completed activity, in its scope (BPMN 2.0, 10.7.1 and 13.5.5). A completed sub-process is
 * undone by its handler as a whole, or by those of the activities in it; a loop by those of its turns.
 */
export function recordForCompensation(execution: Execution, node: FlowNode, instance: ElementInstance): void {
  if (instance.parent === null || node.isForCompensation) return;
  const scope = execution.get(instance.parent);
  if (instance.loop !== undefined) {
    if (instance.compensations !== undefined) addTo(execution, scope, instance.compensations);
    return;
  }
  const handler = node.compensationHandler ?? compensationSubProcess(execution, node.id);
  if (handler === null && instance.compensations === undefined) return;
  addTo(execution, scope, [
    {
      stepId: instance.stepId,
      elementId: node.id,
      handler,
      seq: execution.state.seq,
      ...(node.kind === 'subProcess' && instance.variables !== undefined
        ? { variables: instance.variables, ...taintsOf(instance) }
        : {}),
      ...(instance.compensations === undefined ? {} : { inner: instance.compensations }),
      ...(isParallelTurn(node, scope) ? { turnOf: scope.key } : {}),
    },
  ]);
}

function isParallelTurn({ id, loop }: FlowNode, scope: ElementInstance): boolean {
  return scope.elementId === id && loop?.kind === 'multiInstance' && !loop.sequential;
}

function addTo(execution: Execution, scope: ElementInstance, more: readonly Compensation[]): void {
  execution.put({ ...scope, compensations: [...(scope.compensations ?? []), ...more] });
}

/** The event sub-process in a sub-process that undoes it (BPMN 2.0, 10.7.1, compensation event sub-process). */
function compensationSubProcess(execution: Execution, scopeId: string): string | null {
  for (const id of execution.graph.scopes.get(scopeId)?.eventSubProcesses ?? []) {
    const node = execution.node(id);
    const start = node.kind === 'eventSubProcess' ? execution.node(node.startEvent) : undefined;
    if (start?.kind === 'startEvent' && start.triggers.some((each) => each.kind === 'compensation')) return id;
  }
  return null;
}

/** Takes out of a scope what is to be undone: all of it, or one activity. Each is undone once. */
export function removeCompensations(
  execution: Execution,
  scopeKey: number,
  activityRef: string | null,
): QueuedCompensation[] {
  const scope = execution.get(scopeKey);
  const { taken, left } = split(scope.compensations ?? [], activityRef);
  const { compensations: _old, ...bare } = scope;
  execution.put(left.length === 0 ? bare : { ...bare, compensations: left });
  return queueOf(taken);
}

function split(
  records: readonly Compensation[],
  activityRef: string | null,
): { taken: Compensation[]; left: Compensation[] } {
  if (activityRef === null) return { taken: [...records], left: [] };
  const taken: Compensation[] = [];
  const left: Compensation[] = [];
  for (const record of records) {
    if (record.elementId === activityRef) {
      taken.push(record);
      continue;
    }
    const inner = split(record.inner ?? [], activityRef);
    if (inner.taken.length > 0) taken.push({ ...record, handler: null, inner: inner.taken });
    if (inner.taken.length === 0) left.push(record);
    else if (record.handler !== null || inner.left.length > 0) left.push({ ...record, inner: inner.left });
  }
  return { taken, left };
}

/**
 * What a scope and those below it that are still under way could undo, last completed first. Where something is being
 * undone already, what that has not come to belongs to it, and so does what it is at: a handler that is ended before it
 * has done its work is begun again.
 */
export function compensationsOf(execution: Execution, scopeKey: number): QueuedCompensation[] {
  const found: QueuedCompensation[] = [];
  const open: (Seen & { key: number })[] = [{ key: scopeKey, variables: {} }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const instance = execution.get(next.key);
    found.push(...queueOf(instance.compensations ?? [], next), ...(instance.compensating?.queue ?? []));
    for (const child of execution.children(next.key)) {
      if (child.undoes !== undefined) found.push(requeuedHandler(execution, child, child.undoes));
      else open.push({ key: child.key, ...within(next, child) });
    }
  }
  return found.sort((a, b) => b.seq - a.seq);
}

/**
 * Before everything in a scope is ended: what is queued there to be undone, by its throwing events or by itself, can be
 * undone later, and so can what a handler is at that ends with the rest.
 */
export function restorePendingCompensations(execution: Execution, scopeKey: number): void {
  const children = execution.children(scopeKey);
  const undone = [execution.get(scopeKey), ...children].flatMap((holder) => {
    // What is undone within a sub-process ends with it: an activity that did not complete is not compensated.
    if (holder.compensating === undefined || (holder.key !== scopeKey && holder.compensating.then !== 'leave'))
      return [];
    const handlers = children.filter(({ compensates }) => compensates === holder.key);
    return [
      ...holder.compensating.queue,
      ...handlers.flatMap((child) =>
        child.undoes === undefined ? [] : [requeuedHandler(execution, child, child.undoes)],
      ),
    ];
  });
  if (undone.length > 0) addTo(execution, execution.get(scopeKey), undone);
}

/** A handler that is under way, to be begun again: before all that has not been begun. */
function requeuedHandler(
  execution: Execution,
  handler: ElementInstance,
  { stepId, elementId }: UndoneStep,
): QueuedCompensation {
  const { compensations: inner, variables = {} } = handler;
  return {
    handler: handler.elementId,
    stepId,
    elementId,
    variables,
    ...taintsOf(handler),
    seq: execution.state.seq,
    ...(inner === undefined ? {} : { inner }),
  };
}

/** Last completed first (BPMN 2.0, 13.5.5: in reverse order). */
function queueOf(records: readonly Compensation[], around: Seen = { variables: {} }): QueuedCompensation[] {
  const queue: QueuedCompensation[] = [];
  for (const { stepId, elementId, handler, inner, seq, turnOf, ...own } of records) {
    const seen = within(around, own);
    if (handler === null) queue.push(...queueOf(inner ?? [], seen));
    else
      queue.push({
        handler,
        stepId,
        elementId,
        ...seen,
        seq,
        ...(inner === undefined ? {} : { inner }),
        ...(turnOf === undefined ? {} : { turnOf }),
      });
  }
  return queue.sort((a, b) => b.seq - a.seq);
}

/** What a handler will see of the sub-processes around an activity that are no more. */
type Seen = Pick<QueuedCompensation, 'variables' | 'taints'>;

function within(around: Seen, { variables = {}, taints }: Pick<ElementInstance, 'variables' | 'taints'>): Seen {
  const now = overlaid(around.taints, variables, taints);
  return { variables: { ...around.variables, ...variables }, ...(now === undefined ? {} : { taints: now }) };
}

function taintsOf({ taints }: Pick<ElementInstance, 'taints'>): Pick<ElementInstance, 'taints'> {
  return taints === undefined ? {} : { taints };
}
