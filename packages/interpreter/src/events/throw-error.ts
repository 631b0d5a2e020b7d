import type { BoundaryEvent, ElementInstance, JsonObject, StartEvent, Taints } from '@countersign/model';
import type { Execution } from '../execution.js';
import { evaluate, scopeOf } from '../variables.js';
import { eventSubProcessStarts, happen } from './trigger.js';

interface Catcher {
  readonly holder: ElementInstance;
  readonly event: BoundaryEvent | StartEvent;
}

/**
 * Throws an error: the innermost catching event around it takes it, one with its code before one for any code
 * (BPMN 2.0, 10.5.1 "Error" and 13.5.5; Zeebe: CatchEventAnalyzer).
 *
 * @returns whether anything in the run catches it
 */
export function* throwError(
  execution: Execution,
  origin: ElementInstance,
  code: string,
  variables: JsonObject,
  taints?: Taints,
): Generator<void, boolean> {
  return yield* throwTo(execution, origin, 'error', code, variables, taints);
}

/** Throws an escalation: as an error, but what catches it need not interrupt. @returns whether anything catches it */
export function* throwEscalation(
  execution: Execution,
  origin: ElementInstance,
  code: string,
  variables: JsonObject,
  taints?: Taints,
): Generator<void, boolean> {
  return yield* throwTo(execution, origin, 'escalation', code, variables, taints);
}

/**
 * Hands the decision of an approval to the event that names its code. One that catches any error is there for what goes
 * wrong: it must not take a rejection for that, and go on.
 *
 * @returns whether anything in the run catches it
 */
export function* throwDecision(
  execution: Execution,
  origin: ElementInstance,
  code: string,
  variables: JsonObject,
): Generator<void, boolean> {
  return yield* throwTo(execution, origin, 'error', code, variables, undefined, true);
}

/** Whether an event names the code of a decision (see `throwDecision`). */
export function catchesDecision(execution: Execution, origin: ElementInstance, code: string): boolean {
  return findCatcher(execution, origin, 'error', code, true) !== undefined;
}

function* throwTo(
  execution: Execution,
  origin: ElementInstance,
  kind: 'error' | 'escalation',
  code: string,
  variables: JsonObject,
  taints: Taints | undefined,
  namedOnly = false,
): Generator<void, boolean> {
  const catcher = findCatcher(execution, origin, kind, code, namedOnly);
  if (catcher === undefined) return false;
  execution.emit(
    `${kind}.caught`,
    { stepId: catcher.holder.stepId, elementId: catcher.event.id },
    { code, thrownBy: origin.elementId },
  );
  yield* happen(execution, catcher.holder, catcher.event, variables, taints);
  return true;
}

function findCatcher(
  execution: Execution,
  origin: ElementInstance,
  kind: 'error' | 'escalation',
  code: string,
  namedOnly: boolean,
): Catcher | undefined {
  for (let current: ElementInstance | undefined = origin; current !== undefined;) {
    const boundary = best(execution, current, boundaryEventsOf(execution, current), kind, code, namedOnly);
    if (boundary !== undefined) return { holder: current, event: boundary };
    const parent: ElementInstance | undefined = current.parent === null ? undefined : execution.find(current.parent);
    // What goes wrong in an event sub-process is not for the event sub-processes beside it.
    const fromEventSubProcess = execution.graph.nodes.get(current.elementId)?.kind === 'eventSubProcess';
    if (parent !== undefined && !fromEventSubProcess && !isOver(parent)) {
      const start = best(execution, parent, eventSubProcessStarts(execution, parent), kind, code, namedOnly);
      if (start !== undefined) return { holder: parent, event: start };
    }
    current = parent;
  }
  return undefined;
}

/** A scope that is cancelled undoes what it had done, and begins nothing any more: an error of a handler is no new flow. */
function isOver({ compensating }: ElementInstance): boolean {
  return compensating?.then === 'cancelRun' || compensating?.then === 'cancelTransaction';
}

/** A turn of a loop has none of its own: they are attached to the loop. */
function boundaryEventsOf(execution: Execution, instance: ElementInstance): BoundaryEvent[] {
  if (instance.loopCounter !== undefined) return [];
  const ids = execution.graph.nodes.get(instance.elementId)?.boundaryEvents ?? [];
  return ids.flatMap((id) => {
    const node = execution.node(id);
    return node.kind === 'boundaryEvent' ? [node] : [];
  });
}

function best<E extends BoundaryEvent | StartEvent>(
  execution: Execution,
  holder: ElementInstance,
  events: readonly E[],
  kind: 'error' | 'escalation',
  code: string,
  namedOnly: boolean,
): E | undefined {
  let any: E | undefined;
  for (const event of events) {
    for (const each of event.triggers) {
      if (each.kind !== kind) continue;
      if (each.code === null) any ??= event;
      else if (evaluate(each.code, scopeOf(execution, holder)) === code) return event;
    }
  }
  return namedOnly ? undefined : any;
}
