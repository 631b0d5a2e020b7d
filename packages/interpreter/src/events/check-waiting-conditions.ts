import type { ConditionWait, ElementInstance, FlowNode, WorkflowGraph } from '@countersign/model';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { buildEvaluationScope } from '../variables.js';
import { trigger } from './trigger.js';

const conditionsCache = new WeakMap<WorkflowGraph, boolean>();

/**
 * Checks the conditions of all waiting conditional events after variables have changed. An event occurs when its
 * condition becomes true (BPMN 2.0, 10.5.5 "Conditional"). A non-interrupting event occurs again only after its
 * condition was false.
 */
export function* checkWaitingConditions(execution: Execution): Generator<void, void> {
  execution.variablesChanged = false;
  if (!hasConditions(execution.graph)) return;
  for (const instance of execution.findWaiting('condition')) {
    for (const wait of instance.waits ?? []) {
      const current = execution.find(instance.key);
      if (wait.kind === 'condition' && current?.waits?.includes(wait) === true)
        yield* checkCondition(execution, current, wait);
    }
    yield;
  }
}

function* checkCondition(execution: Execution, holder: ElementInstance, wait: ConditionWait): Generator<void, void> {
  const isMet = evaluateCondition(execution, holder, wait);
  if (isMet === (wait.holds === true)) return;
  const { holds: _before, ...waitWithoutHolds } = wait;
  const updatedWait: ConditionWait = isMet ? { ...waitWithoutHolds, holds: true } : waitWithoutHolds;
  const updatedHolder = execution.put({
    ...holder,
    waits: (holder.waits ?? []).map((each) => (each === wait ? updatedWait : each)),
  });
  if (!isMet) return;
  execution.emit('condition.met', { stepId: holder.stepId, elementId: wait.elementId }, {});
  yield* trigger(execution, updatedHolder, updatedWait, {});
}

function evaluateCondition(execution: Execution, holder: ElementInstance, wait: ConditionWait): boolean {
  const event = execution.node(wait.elementId);
  const conditionTrigger = 'triggers' in event ? event.triggers[wait.trigger ?? 0] : undefined;
  if (conditionTrigger?.kind !== 'condition') return false;
  try {
    return conditionTrigger.condition.evaluate(buildEvaluationScope(execution, holder)) === true;
  } catch (error) {
    // The condition may read data that does not exist yet. That must not fail the step that changed a variable.
    if (error instanceof StepFailure || (error instanceof Error && 'code' in error)) return false;
    throw error;
  }
}

function hasConditions(graph: WorkflowGraph): boolean {
  const cachedResult = conditionsCache.get(graph);
  if (cachedResult !== undefined) return cachedResult;
  const found = [...graph.nodes.values()].some(waitsForCondition);
  conditionsCache.set(graph, found);
  return found;
}

function waitsForCondition(node: FlowNode): boolean {
  return 'triggers' in node && node.triggers.some((each) => each.kind === 'condition');
}
