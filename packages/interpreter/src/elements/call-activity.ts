import { type CallActivity, type ChildStart, deriveId, type ElementInstance, filterTaints } from '@countersign/model';
import { collectContributorsWithoutInitiator, withContributors } from '../contributors.js';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { evaluateName } from '../names.js';
import { withoutReservedVariables } from '../reserved-variables.js';
import { addWait } from '../steps.js';
import { getVisibleTaints } from '../taint.js';
import { buildEvaluationScope, getVisibleVariables } from '../variables.js';

/** Maximum depth of nested child runs. It stops cycles of call activities. */
const MAX_CALL_DEPTH = 100;

/** Starts a child run and waits for its end (BPMN 2.0, 13.3.3 "Call Activity"; Zeebe: `zeebe:calledElement`). */
export function startChildRun(execution: Execution, node: CallActivity, instance: ElementInstance): void {
  const scope = buildEvaluationScope(execution, instance);
  const workflowId = evaluateName(
    node.workflowId,
    scope,
    'called_workflow_invalid',
    `The id of the workflow that "${node.id}" calls`,
  );
  const { state } = execution;
  const depth = (state.parent?.depth ?? 0) + 1;
  if (depth > MAX_CALL_DEPTH) {
    throw new StepFailure(
      'call_depth_exceeded',
      `Call activities are nested more than ${MAX_CALL_DEPTH} levels deep; they probably form a cycle. Remove the cycle from the BPMN models.`,
    );
  }
  // Not the sequential id itself: ids that the child run derives from it would collide with ids of this run and of its
  // other child runs in the same millisecond.
  const derivedRunId = deriveId(execution.nextId(), state.runId);
  const childRunId = execution.context.recordedChildRunId?.(instance.elementId) ?? derivedRunId;
  addWait(execution, instance.key, { kind: 'child', childRunId, workflowId });
  execution.request({
    type: 'send',
    message: {
      messageId: execution.nextId(),
      kind: 'child.start',
      childRunId,
      workflowId,
      binding: node.binding === 'deployment' ? { digest: state.workflowDigest } : node.binding,
      ...buildChildInputs(execution, node, instance),
      ...withContributors(collectContributorsWithoutInitiator(execution)),
      parent: { runId: state.runId, rootRunId: state.parent?.rootRunId ?? state.runId, depth },
      businessKey: state.businessKey,
    },
  });
  execution.emit('child.requested', instance, { childRunId, workflowId });
}

function buildChildInputs(
  execution: Execution,
  node: CallActivity,
  instance: ElementInstance,
): Pick<ChildStart, 'inputs' | 'inputTaints'> {
  const find = (key: number): ElementInstance | undefined => execution.find(key);
  const propagatesAll = node.propagateAllParentVariables;
  const inputs = propagatesAll
    ? withoutReservedVariables(execution.graph, getVisibleVariables(find, instance))
    : (instance.variables ?? {});
  const inputTaints = filterTaints(propagatesAll ? getVisibleTaints(find, instance) : instance.taints, inputs);
  return { inputs, ...(inputTaints === undefined ? {} : { inputTaints }) };
}
