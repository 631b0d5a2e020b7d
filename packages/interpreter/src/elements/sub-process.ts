import type {
  AdHocSubProcess,
  ElementInstance,
  EventSubProcess,
  JsonObject,
  SubProcess,
  Taints,
} from '@countersign/model';
import { findEventSubProcessStarts } from '../events/trigger.js';
import { subscribe } from '../events/subscribe.js';
import type { Execution } from '../execution.js';
import { endChildren } from '../cancel-instance.js';
import { StepFailure } from '../incidents.js';
import { scheduleLeave } from '../steps.js';
import { buildEvaluationScope } from '../variables.js';

/** Subscribes a scope to the events of its event sub-processes (BPMN 2.0, 13.5.4). */
export function subscribeEventSubProcesses(execution: Execution, scope: ElementInstance): void {
  for (const start of findEventSubProcessStarts(execution, scope)) subscribe(execution, scope.key, start);
}

/** Starts an embedded sub-process at its none start event (BPMN 2.0, 13.3.4). */
export function enterSubProcess(execution: Execution, node: SubProcess, instance: ElementInstance): void {
  subscribeEventSubProcesses(execution, instance);
  for (const id of execution.graph.scopes.get(node.id)?.noneStartEvents ?? []) {
    execution.scheduleEnter({ node: execution.node(id), scope: instance.key, via: null });
  }
}

/** Starts an event sub-process at its start event, which has already occurred. */
export function enterEventSubProcess(
  execution: Execution,
  node: EventSubProcess,
  instance: ElementInstance,
  event: JsonObject,
  taints?: Taints,
): void {
  subscribeEventSubProcesses(execution, instance);
  execution.scheduleEnter({ node: execution.node(node.startEvent), scope: instance.key, via: null, event, taints });
}

/**
 * Starts the elements without an incoming flow, or only the first of them if the sub-process is sequential (BPMN 2.0,
 * 13.3.5).
 */
export function enterAdHocSubProcess(execution: Execution, node: AdHocSubProcess, instance: ElementInstance): void {
  subscribeEventSubProcesses(execution, instance);
  const entries = node.sequential ? node.entries.slice(0, 1) : node.entries;
  for (const id of entries) execution.scheduleEnter({ node: execution.node(id), scope: instance.key, via: null });
  if (entries.length === 0) scheduleLeave(execution, instance, null);
}

/**
 * Checks an ad-hoc sub-process after an element in it has ended: evaluates its completion condition and, if the
 * sub-process is sequential, starts the next element.
 *
 * @returns whether the sub-process may end once nothing in it is active
 */
export function* checkAdHocCompletion(
  execution: Execution,
  node: AdHocSubProcess,
  instance: ElementInstance,
): Generator<void, boolean> {
  if (node.completionCondition !== null) {
    const value = node.completionCondition.evaluate(buildEvaluationScope(execution, instance));
    if (typeof value !== 'boolean') {
      throw new StepFailure(
        'condition_not_boolean',
        `The completion condition of "${node.id}" evaluated to ${JSON.stringify(value)}, not to true or false.`,
      );
    }
    if (value) {
      if (node.cancelRemainingInstances) yield* endChildren(execution, instance.key, 'completion_condition');
      return true;
    }
  }
  const isIdle = execution.countChildren(instance.key) === 0 && !execution.isBeingEntered(instance.key);
  if (!node.sequential || !isIdle) return true;
  const next = node.entries.find((id) => execution.get(instance.key).iterations?.[id] === undefined);
  if (next === undefined) return true;
  execution.scheduleEnter({ node: execution.node(next), scope: instance.key, via: null });
  return false;
}
