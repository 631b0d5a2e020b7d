import type { BoundaryEvent, ElementInstance, JsonObject, StartEvent, Taints } from '@countersign/model';
import type { Execution } from '../execution.js';
import { evaluate, buildEvaluationScope } from '../variables.js';
import { findEventSubProcessStarts, fireEvent } from './trigger.js';

interface Catcher {
  readonly holder: ElementInstance;
  readonly event: BoundaryEvent | StartEvent;
}

/**
 * Throws an error to the innermost catching event. An event for the error's code takes precedence over an event for any
 * code (BPMN 2.0, 10.5.1 "Error" and 13.5.5; Zeebe: CatchEventAnalyzer).
 *
 * @returns whether an event of the run catches the error
 */
export function* throwError(
  execution: Execution,
  origin: ElementInstance,
  code: string,
  variables: JsonObject,
  taints?: Taints,
): Generator<void, boolean> {
  return yield* throwToCatcher(execution, origin, 'error', code, variables, taints);
}

/**
 * Throws an escalation like an error, but the catching event may be non-interrupting.
 *
 * @returns whether an event of the run catches the escalation
 */
export function* throwEscalation(
  execution: Execution,
  origin: ElementInstance,
  code: string,
  variables: JsonObject,
  taints?: Taints,
): Generator<void, boolean> {
  return yield* throwToCatcher(execution, origin, 'escalation', code, variables, taints);
}

/**
 * Throws an approval decision to the event for its code. An event that catches any error is meant for failures, so it
 * must not catch a rejection and let the run continue.
 *
 * @returns whether an event of the run catches the decision
 */
export function* throwDecision(
  execution: Execution,
  origin: ElementInstance,
  code: string,
  variables: JsonObject,
): Generator<void, boolean> {
  return yield* throwToCatcher(execution, origin, 'error', code, variables, undefined, true);
}

/** Returns whether an event would catch an approval decision with this code (see `throwDecision`). */
export function catchesDecision(execution: Execution, origin: ElementInstance, code: string): boolean {
  return findCatcher(execution, origin, 'error', code, true) !== undefined;
}

function* throwToCatcher(
  execution: Execution,
  origin: ElementInstance,
  kind: 'error' | 'escalation',
  code: string,
  variables: JsonObject,
  taints: Taints | undefined,
  isExactCodeRequired = false,
): Generator<void, boolean> {
  const catcher = findCatcher(execution, origin, kind, code, isExactCodeRequired);
  if (catcher === undefined) return false;
  execution.emit(
    `${kind}.caught`,
    { stepId: catcher.holder.stepId, elementId: catcher.event.id },
    { code, thrownBy: origin.elementId },
  );
  yield* fireEvent(execution, catcher.holder, catcher.event, variables, taints);
  return true;
}

function findCatcher(
  execution: Execution,
  origin: ElementInstance,
  kind: 'error' | 'escalation',
  code: string,
  isExactCodeRequired: boolean,
): Catcher | undefined {
  for (let current: ElementInstance | undefined = origin; current !== undefined;) {
    const boundary = findBestMatch(
      execution,
      current,
      findBoundaryEvents(execution, current),
      kind,
      code,
      isExactCodeRequired,
    );
    if (boundary !== undefined) return { holder: current, event: boundary };
    const parent: ElementInstance | undefined = current.parent === null ? undefined : execution.find(current.parent);
    // Errors in an event sub-process are not caught by its sibling event sub-processes.
    const isEventSubProcess = execution.graph.nodes.get(current.elementId)?.kind === 'eventSubProcess';
    if (parent !== undefined && !isEventSubProcess && !isBeingCancelled(parent)) {
      const start = findBestMatch(
        execution,
        parent,
        findEventSubProcessStarts(execution, parent),
        kind,
        code,
        isExactCodeRequired,
      );
      if (start !== undefined) return { holder: parent, event: start };
    }
    current = parent;
  }
  return undefined;
}

/**
 * Returns whether a scope is being cancelled. Such a scope only runs compensations, so an error of a handler must not
 * start an event sub-process in it.
 */
function isBeingCancelled({ compensating }: ElementInstance): boolean {
  return compensating?.then === 'cancelRun' || compensating?.then === 'cancelTransaction';
}

/** Returns the boundary events of an instance. For a loop they are attached to the loop, not to its instances. */
function findBoundaryEvents(execution: Execution, instance: ElementInstance): BoundaryEvent[] {
  if (instance.loopCounter !== undefined) return [];
  const ids = execution.graph.nodes.get(instance.elementId)?.boundaryEvents ?? [];
  return ids.flatMap((id) => {
    const node = execution.node(id);
    return node.kind === 'boundaryEvent' ? [node] : [];
  });
}

function findBestMatch<E extends BoundaryEvent | StartEvent>(
  execution: Execution,
  holder: ElementInstance,
  events: readonly E[],
  kind: 'error' | 'escalation',
  code: string,
  isExactCodeRequired: boolean,
): E | undefined {
  let catchAllMatch: E | undefined;
  for (const event of events) {
    for (const each of event.triggers) {
      if (each.kind !== kind) continue;
      if (each.code === null) catchAllMatch ??= event;
      else if (evaluate(each.code, buildEvaluationScope(execution, holder)) === code) return event;
    }
  }
  return isExactCodeRequired ? undefined : catchAllMatch;
}
