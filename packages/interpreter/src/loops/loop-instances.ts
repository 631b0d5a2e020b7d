import {
  type ElementInstance,
  type FlowNode,
  type LoopState,
  type MultiInstanceLoop,
  getTaintSources,
  type StandardLoop,
  taintAll,
  mergeTaintSources,
} from '@countersign/model';
import { cancelChildren } from '../cancel-instance.js';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { getExpressionTaintSources } from '../taint.js';
import { mergeUpwards, buildEvaluationScope, setLocalVariables } from '../variables.js';
import { requireLoopBody } from './seed-loop.js';

/**
 * The continuation of a loop after an instance has completed: start another instance, end the loop, or wait for the
 * active instances.
 */
export type LoopContinuation = 'another' | 'end' | 'wait';

/**
 * Collects the output of a completed loop instance while its variables still exist, and decides whether the loop
 * continues. A failure raises an incident on the instance before the instance completes.
 */
export function completeLoopInstance(
  execution: Execution,
  node: FlowNode,
  loopInstance: ElementInstance,
): LoopContinuation {
  if (node.loop?.kind === 'multiInstance') return completeMultiInstance(execution, node, node.loop, loopInstance);
  const body = requireLoopBody(execution, loopInstance);
  const { begun, count } = requireLoop(body);
  if (node.loop === null || begun === count) return 'end';
  return shouldRepeat(execution, node, node.loop, body, begun) ? 'another' : 'end';
}

function completeMultiInstance(
  execution: Execution,
  node: FlowNode,
  loop: MultiInstanceLoop,
  loopInstance: ElementInstance,
): LoopContinuation {
  collectOutput(execution, loop, loopInstance);
  const { begun, completed, count } = requireLoop(requireLoopBody(execution, loopInstance));
  const condition = loop.completionCondition;
  if (condition !== null) {
    // This instance already counts as completed (BPMN 2.0, table 8.68; Zeebe 8.6: loop variables of the completion
    // condition).
    const loopVariables = {
      numberOfInstances: begun,
      numberOfActiveInstances: begun - completed - 1,
      numberOfCompletedInstances: completed + 1,
      numberOfTerminatedInstances: 0,
    };
    const value = condition.evaluate(buildEvaluationScope(execution, loopInstance, loopVariables));
    if (requireBoolean(value, `The completion condition of "${node.id}"`)) return 'end';
  }
  if (completed + 1 === count) return 'end';
  return loop.sequential ? 'another' : 'wait';
}

/**
 * Collects the output of a loop instance. Until the loop ends, the output collection is a variable of the loop body,
 * which all instances see (as in Zeebe).
 */
function collectOutput(execution: Execution, loop: MultiInstanceLoop, loopInstance: ElementInstance): void {
  if (loop.outputCollection === null || loop.outputElement === null || loopInstance.loopCounter === undefined) return;
  const output = loop.outputElement.evaluate(buildEvaluationScope(execution, loopInstance));
  const body = requireLoopBody(execution, loopInstance);
  const collection = body.variables?.[loop.outputCollection];
  if (!Array.isArray(collection) || collection.length < loopInstance.loopCounter) {
    throw new StepFailure(
      'output_collection_invalid',
      `The output collection "${loop.outputCollection}" of "${loopInstance.elementId}" is no longer a list with an item for each loop instance, because ` +
        'another step has overwritten the variable.',
    );
  }
  setLocalVariables(
    execution,
    body,
    { [loop.outputCollection]: collection.with(loopInstance.loopCounter - 1, output) },
    taintAll(
      { [loop.outputCollection]: null },
      mergeTaintSources(
        getExpressionTaintSources(execution, loopInstance, loop.outputElement),
        getTaintSources(body.taints, loop.outputCollection),
      ),
    ),
  );
}

/**
 * Returns whether a standard loop continues (BPMN 2.0, 10.3.8). The condition is evaluated in the same way before and
 * after an instance: with the scope around the activity, and the number of instances so far (`loopCounter`).
 */
export function shouldRepeat(
  execution: Execution,
  node: FlowNode,
  loop: StandardLoop,
  body: ElementInstance,
  instanceCount: number,
): boolean {
  if (loop.condition === null) return true;
  const value = loop.condition.evaluate(buildEvaluationScope(execution, body, { loopCounter: instanceCount }));
  return requireBoolean(value, `The loop condition of "${node.id}"`);
}

/** Continues the loop after a completed instance. */
export function* continueLoop(
  execution: Execution,
  node: FlowNode,
  bodyKey: number,
  next: LoopContinuation,
): Generator<void, void> {
  const body = execution.find(bodyKey);
  // A compensation or an event caused by the instance's end may have ended the loop.
  if (body === undefined) return;
  const loop = requireLoop(body);
  execution.put({ ...body, loop: { ...loop, completed: loop.completed + 1 } });
  if (next === 'another') execution.scheduleEnter({ node, scope: bodyKey, via: null });
  if (next !== 'end') return;
  yield* cancelChildren(execution, bodyKey, 'completion_condition');
  endLoop(execution, bodyKey);
}

/** Ends a loop normally. Its body is left like any activity. */
export function endLoop(execution: Execution, bodyKey: number): void {
  execution.agenda.push({ type: 'leave', key: bodyKey, result: null });
}

/** Writes the output collection to the scope around the loop. Other variables of the body stay local (as in Zeebe). */
export function writeOutputCollection(execution: Execution, node: FlowNode, body: ElementInstance): void {
  const name = node.loop?.kind === 'multiInstance' ? node.loop.outputCollection : null;
  const collection = name === null ? undefined : body.variables?.[name];
  if (name === null || collection === undefined || body.parent === null) return;
  mergeUpwards(execution, execution.get(body.parent), { [name]: collection }, body.taints);
}

function requireLoop(body: ElementInstance): LoopState {
  if (body.loop === undefined) throw new Error(`Instance ${body.key} is not a loop.`);
  return body.loop;
}

function requireBoolean(value: unknown, label: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new StepFailure(
    'condition_not_boolean',
    `${label} evaluated to ${JSON.stringify(value)}, not to true or false. Correct the variables that it reads and recover the run.`,
  );
}
