import {
  truncateText,
  type ElementInstance,
  type FlowNode,
  type Json,
  type MultiInstanceLoop,
  type StandardLoop,
  type Value,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { MAX_ELEMENTS_PER_COMMAND } from '../work-limits.js';
import { StepFailure } from '../incidents.js';
import { getExpressionTaintSources } from '../taint.js';
import { evaluate, buildEvaluationScope, setLocalVariables } from '../variables.js';
import { endLoop, shouldRepeat } from './loop-instances.js';

/** Maximum number of instances of a multi-instance activity; its state and output collection grow with this number. */
const MAX_LOOP_INSTANCES = 100_000;

/**
 * Starts the instances of a loop: the first, or all concurrently (BPMN 2.0, 13.3.6 and 13.3.7).
 *
 * @throws {StepFailure} if the loop cannot start; no instance has started then, so a recovery can repeat the start
 */
export function startLoop(execution: Execution, node: FlowNode, body: ElementInstance): void {
  if (node.loop?.kind === 'multiInstance') startMultiInstance(execution, node, node.loop, body);
  else if (node.loop?.kind === 'standard') startStandardLoop(execution, node, node.loop, body);
}

function startMultiInstance(
  execution: Execution,
  node: FlowNode,
  loop: MultiInstanceLoop,
  body: ElementInstance,
): void {
  const items = loop.inputCollection === null ? null : evaluateItems(execution, node, loop.inputCollection, body);
  const count =
    items?.length ?? evaluateCount(execution, body, loop.cardinality, 'loop_cardinality_invalid', 'loopCardinality');
  assertInstanceLimits(execution, node, loop, count);
  const taint = loop.inputCollection === null ? [] : getExpressionTaintSources(execution, body, loop.inputCollection);
  const startedBody = execution.put({
    ...body,
    loop: { items, count, begun: 0, completed: 0, ...(taint.length === 0 ? {} : { taint }) },
  });
  if (loop.outputCollection !== null)
    setLocalVariables(execution, startedBody, { [loop.outputCollection]: Array<Json>(count).fill(null) });
  if (count === 0) endLoop(execution, body.key);
  for (let index = 0; index < (loop.sequential ? Math.min(count, 1) : count); index += 1) {
    execution.scheduleEnter({ node, scope: body.key, via: null });
  }
}

function evaluateItems(
  execution: Execution,
  node: FlowNode,
  collection: NonNullable<MultiInstanceLoop['inputCollection']>,
  body: ElementInstance,
): readonly Json[] {
  const items = collection.evaluate(buildEvaluationScope(execution, body));
  if (Array.isArray(items)) return items;
  throw new StepFailure(
    'input_collection_invalid',
    `The input collection of "${node.id}" must be a list, but it is ${items === undefined ? 'nothing' : truncateText(JSON.stringify(items), 200)}. ` +
      'Correct the variables that it reads and recover the run.',
  );
}

function assertInstanceLimits(execution: Execution, node: FlowNode, loop: MultiInstanceLoop, count: number): void {
  if (count > MAX_LOOP_INSTANCES) {
    throw new StepFailure(
      'loop_too_long',
      `"${node.id}" would have ${count} loop instances; at most ${MAX_LOOP_INSTANCES} are allowed.`,
    );
  }
  if (!loop.sequential && execution.enteredCount + count > MAX_ELEMENTS_PER_COMMAND) {
    throw new StepFailure(
      'element_limit_exceeded',
      `"${node.id}" would start ${count} loop instances at the same time; one command may enter at most ${MAX_ELEMENTS_PER_COMMAND} elements. ` +
        'Make it sequential, or reduce the number of instances.',
    );
  }
}

function startStandardLoop(execution: Execution, node: FlowNode, loop: StandardLoop, body: ElementInstance): void {
  const count =
    loop.maximum === null ? null : evaluateCount(execution, body, loop.maximum, 'loop_maximum_invalid', 'loopMaximum');
  const startedBody = execution.put({ ...body, loop: { items: null, count, begun: 0, completed: 0 } });
  const shouldStart = count !== 0 && (!loop.testBefore || shouldRepeat(execution, node, loop, startedBody, 0));
  if (shouldStart) execution.scheduleEnter({ node, scope: body.key, via: null });
  else endLoop(execution, body.key);
}

function evaluateCount(
  execution: Execution,
  body: ElementInstance,
  value: Value | null,
  code: string,
  label: string,
): number {
  const evaluated = value === null ? null : evaluate(value, buildEvaluationScope(execution, body));
  const count = typeof evaluated === 'string' && evaluated.trim() !== '' ? Number(evaluated) : evaluated;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count;
  throw new StepFailure(
    code,
    `The ${label} of "${body.elementId}" must be a whole number of at least 0, but it is ${JSON.stringify(evaluated)}.`,
  );
}
