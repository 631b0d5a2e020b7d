import {
  type Compensation,
  type ElementInstance,
  type FlowNode,
  overlayTaints,
  type QueuedCompensation,
  type UndoneStep,
} from '@countersign/model';
import type { Execution } from '../execution.js';

/**
 * Records in the scope how to compensate a completed activity (BPMN 2.0, 10.7.1 and 13.5.5). A completed sub-process
 * is compensated by its own handler or by the handlers of its activities, and a loop by the handlers of its instances.
 */
export function recordForCompensation(execution: Execution, node: FlowNode, instance: ElementInstance): void {
  if (instance.parent === null || node.isForCompensation) return;
  const scope = execution.get(instance.parent);
  if (instance.loop !== undefined) {
    if (instance.compensations !== undefined) addCompensations(execution, scope, instance.compensations);
    return;
  }
  const handler = node.compensationHandler ?? findCompensationSubProcess(execution, node.id);
  if (handler === null && instance.compensations === undefined) return;
  addCompensations(execution, scope, [
    {
      stepId: instance.stepId,
      elementId: node.id,
      handler,
      seq: execution.state.seq,
      ...(node.kind === 'subProcess' && instance.variables !== undefined
        ? { variables: instance.variables, ...taintsField(instance) }
        : {}),
      ...(instance.compensations === undefined ? {} : { inner: instance.compensations }),
      ...(isParallelLoopInstance(node, scope) ? { turnOf: scope.key } : {}),
    },
  ]);
}

function isParallelLoopInstance({ id, loop }: FlowNode, scope: ElementInstance): boolean {
  return scope.elementId === id && loop?.kind === 'multiInstance' && !loop.sequential;
}

function addCompensations(execution: Execution, scope: ElementInstance, added: readonly Compensation[]): void {
  execution.put({ ...scope, compensations: [...(scope.compensations ?? []), ...added] });
}

/** Returns the id of the compensation event sub-process of a sub-process (BPMN 2.0, 10.7.1), or `null`. */
function findCompensationSubProcess(execution: Execution, scopeId: string): string | null {
  for (const id of execution.graph.scopes.get(scopeId)?.eventSubProcesses ?? []) {
    const node = execution.node(id);
    const start = node.kind === 'eventSubProcess' ? execution.node(node.startEvent) : undefined;
    if (start?.kind === 'startEvent' && start.triggers.some((each) => each.kind === 'compensation')) return id;
  }
  return null;
}

/** Removes and returns all compensations of a scope, or those of one activity, so that each runs only once. */
export function removeCompensations(
  execution: Execution,
  scopeKey: number,
  activityRef: string | null,
): QueuedCompensation[] {
  const scope = execution.get(scopeKey);
  const { taken, remaining } = splitCompensations(scope.compensations ?? [], activityRef);
  const { compensations: _old, ...scopeWithoutCompensations } = scope;
  execution.put(
    remaining.length === 0 ? scopeWithoutCompensations : { ...scopeWithoutCompensations, compensations: remaining },
  );
  return buildQueue(taken);
}

function splitCompensations(
  records: readonly Compensation[],
  activityRef: string | null,
): { taken: Compensation[]; remaining: Compensation[] } {
  if (activityRef === null) return { taken: [...records], remaining: [] };
  const taken: Compensation[] = [];
  const remaining: Compensation[] = [];
  for (const record of records) {
    if (record.elementId === activityRef) {
      taken.push(record);
      continue;
    }
    const inner = splitCompensations(record.inner ?? [], activityRef);
    if (inner.taken.length > 0) taken.push({ ...record, handler: null, inner: inner.taken });
    if (inner.taken.length === 0) remaining.push(record);
    else if (record.handler !== null || inner.remaining.length > 0)
      remaining.push({ ...record, inner: inner.remaining });
  }
  return { taken, remaining };
}

/**
 * Returns the compensations of a scope and of its active descendants, last completed first. If compensation is in
 * progress, this includes the rest of its queue and its active handlers: a handler that is cancelled before it
 * completes is started again.
 */
export function collectCompensations(execution: Execution, scopeKey: number): QueuedCompensation[] {
  const found: QueuedCompensation[] = [];
  const open: (VisibleVariables & { key: number })[] = [{ key: scopeKey, variables: {} }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const instance = execution.get(next.key);
    found.push(...buildQueue(instance.compensations ?? [], next), ...(instance.compensating?.queue ?? []));
    for (const child of execution.children(next.key)) {
      if (child.undoes !== undefined) found.push(toQueuedCompensation(execution, child, child.undoes));
      else open.push({ key: child.key, ...mergeVisibleVariables(next, child) });
    }
  }
  return found.sort((a, b) => b.seq - a.seq);
}

/**
 * Restores the pending compensations of a scope before its instances end, so that they can run later: the compensations
 * that the scope or its throwing events have queued, and those whose handlers are still active.
 */
export function restorePendingCompensations(execution: Execution, scopeKey: number): void {
  const children = execution.children(scopeKey);
  const pendingCompensations = [execution.get(scopeKey), ...children].flatMap((holder) => {
    // Compensation within a sub-process ends with the sub-process: an activity that did not complete is not
    // compensated.
    if (holder.compensating === undefined || (holder.key !== scopeKey && holder.compensating.then !== 'leave'))
      return [];
    const handlers = children.filter(({ compensates }) => compensates === holder.key);
    return [
      ...holder.compensating.queue,
      ...handlers.flatMap((child) =>
        child.undoes === undefined ? [] : [toQueuedCompensation(execution, child, child.undoes)],
      ),
    ];
  });
  if (pendingCompensations.length > 0) addCompensations(execution, execution.get(scopeKey), pendingCompensations);
}

/** Returns the queue entry for restarting an active handler, ahead of all handlers that have not started. */
function toQueuedCompensation(
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
    ...taintsField(handler),
    seq: execution.state.seq,
    ...(inner === undefined ? {} : { inner }),
  };
}

/** Builds the queue, last completed first (BPMN 2.0, 13.5.5: in reverse order). */
function buildQueue(
  records: readonly Compensation[],
  enclosing: VisibleVariables = { variables: {} },
): QueuedCompensation[] {
  const queue: QueuedCompensation[] = [];
  for (const { stepId, elementId, handler, inner, seq, turnOf, ...ownVariables } of records) {
    const visible = mergeVisibleVariables(enclosing, ownVariables);
    if (handler === null) queue.push(...buildQueue(inner ?? [], visible));
    else
      queue.push({
        handler,
        stepId,
        elementId,
        ...visible,
        seq,
        ...(inner === undefined ? {} : { inner }),
        ...(turnOf === undefined ? {} : { turnOf }),
      });
  }
  return queue.sort((a, b) => b.seq - a.seq);
}

/** The variables that a handler sees from completed sub-processes around its activity. */
type VisibleVariables = Pick<QueuedCompensation, 'variables' | 'taints'>;

function mergeVisibleVariables(
  enclosing: VisibleVariables,
  { variables = {}, taints }: Pick<ElementInstance, 'variables' | 'taints'>,
): VisibleVariables {
  const mergedTaints = overlayTaints(enclosing.taints, variables, taints);
  return {
    variables: { ...enclosing.variables, ...variables },
    ...(mergedTaints === undefined ? {} : { taints: mergedTaints }),
  };
}

function taintsField({ taints }: Pick<ElementInstance, 'taints'>): Pick<ElementInstance, 'taints'> {
  return taints === undefined ? {} : { taints };
}
