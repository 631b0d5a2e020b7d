import { type ElementInstance, type FlowNode, type JsonObject, type Taints, getNodeTraits } from '@countersign/model';
import { chooseFlows } from './elements/choose-flows.js';
import type { Execution } from './execution.js';
import { complete } from './complete.js';
import { checkAdHocCompletion } from './elements/sub-process.js';
import { toStepFailureOrRethrow, raiseIncident } from './incidents.js';
import { continueLoop, completeLoopInstance, writeOutputCollection } from './loops/loop-instances.js';
import { reportToParent } from './report-to-parent.js';
import { closeWaits } from './steps.js';
import { getMappingTaints, withResultTaints } from './taint.js';
import { evaluateOutputMappings, mergeUpwards, buildEvaluationScope, setLocalVariables } from './variables.js';

/**
 * Ends an instance: its result becomes variables, its output mappings are applied, and its outgoing flows are taken. A
 * failure raises an incident on the step, and a recovery repeats this with the same result.
 *
 * @param taints taints of the result
 */
export function* leave(
  execution: Execution,
  key: number,
  result: JsonObject | null,
  taints?: Taints,
): Generator<void, void> {
  const instance = execution.find(key);
  if (instance === undefined || instance.parent === null) return;
  const node = execution.node(instance.elementId);
  // After a failed attempt to leave, an event may have started elements in the scope. Wait until they end.
  if (getNodeTraits(node).isScope && instance.loop === undefined && isBusy(execution, instance)) return;
  try {
    const updatedInstance = writeResult(execution, node, instance, result, taints);
    if (instance.loopCounter !== undefined) {
      const next = completeLoopInstance(execution, node, updatedInstance);
      complete(execution, node, execution.get(key), result);
      yield* continueLoop(execution, node, instance.parent, next);
      return;
    }
    const flows = chooseFlows(execution, node, updatedInstance);
    complete(execution, node, execution.get(key), result);
    // A compensation handler is outside the sequence flow, whatever scope it runs in.
    if (node.kind === 'linkThrow')
      execution.scheduleEnter({ node: execution.node(node.targetId), scope: instance.parent, via: null });
    if (instance.compensates === undefined) for (const flow of flows) execution.takeFlow(flow, instance.parent);
    execution.agenda.push({ type: 'scope', key: instance.parent });
  } catch (error) {
    raiseIncident(
      execution,
      withResultTaints(instance, taints),
      toStepFailureOrRethrow(error),
      'leave',
      result ?? undefined,
    );
  }
}

function writeResult(
  execution: Execution,
  node: FlowNode,
  instance: ElementInstance,
  result: JsonObject | null,
  taints: Taints | undefined,
): ElementInstance {
  if (instance.loop !== undefined) {
    writeOutputCollection(execution, node, instance);
    return instance;
  }
  const parent = execution.get(instance.parent ?? execution.state.root);
  if (node.outputs.length === 0) {
    if (result !== null && !keepsErrorLocal(node)) mergeUpwards(execution, instance, result, taints);
    return execution.get(instance.key);
  }
  const instanceWithResult = setLocalVariables(execution, instance, result ?? {}, taints);
  // A mapping must not hide an approval decision, because later flows and steps rely on it.
  if (node.kind === 'userTask' && result !== null) mergeUpwards(execution, parent, result);
  const outputs = evaluateOutputMappings(node.outputs, (written) =>
    buildEvaluationScope(execution, instanceWithResult, written),
  );
  // Outputs that overwrite a local variable of a multi-instance loop instance stay in it, so its output element can
  // read them (Zeebe 8.6).
  const isLoopInstance = instance.loopCounter !== undefined && node.loop?.kind === 'multiInstance';
  mergeUpwards(
    execution,
    execution.get(isLoopInstance ? instance.key : parent.key),
    outputs,
    getMappingTaints(execution, instanceWithResult, node.outputs, { mergesContexts: true }),
  );
  return execution.get(instance.key);
}

/**
 * Returns whether the variables of an error stay local to the boundary event that catches it, for its output mappings
 * (Zeebe: throw error).
 */
function keepsErrorLocal(node: FlowNode): boolean {
  return node.kind === 'boundaryEvent' && node.triggers.every(({ kind }) => kind === 'error');
}

/** Completes a scope if it contains no more tokens. */
export function* completeScopeIfEmpty(execution: Execution, key: number): Generator<void, void> {
  const scope = execution.find(key);
  if (scope === undefined || scope.incident !== undefined || execution.state.outcome !== null) return;
  const node = execution.graph.nodes.get(scope.elementId);
  try {
    if (
      node?.kind === 'adHocSubProcess' &&
      scope.loop === undefined &&
      !(yield* checkAdHocCompletion(execution, node, scope))
    )
      return;
  } catch (error) {
    raiseIncident(execution, execution.get(key), toStepFailureOrRethrow(error), 'settle');
    return;
  }
  if (isBusy(execution, execution.get(key))) return;
  if (scope.parent !== null) {
    if (node !== undefined && getNodeTraits(node).isScope && scope.loop === undefined)
      yield* leave(execution, key, null);
    return;
  }
  completeRun(execution, execution.get(key));
}

function isBusy(execution: Execution, scope: ElementInstance): boolean {
  return (
    execution.isBeingEntered(scope.key) ||
    execution.countChildren(scope.key) > 0 ||
    Object.keys(scope.joins ?? {}).length > 0 ||
    Object.keys(scope.resets ?? {}).length > 0 ||
    scope.compensating !== undefined
  );
}

function completeRun(execution: Execution, root: ElementInstance): void {
  closeWaits(execution, root);
  execution.update({ outcome: 'completed', completedAt: execution.now });
  execution.emit('run.completed', null, {}, null);
  const { variables = {}, taints } = root;
  reportToParent(execution, { kind: 'completed', variables, ...(taints === undefined ? {} : { taints }) });
}
