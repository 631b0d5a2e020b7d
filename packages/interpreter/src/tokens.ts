import { type ElementInstance, type FlowNode, type JsonObject, type Taints, traitsOf } from '@countersign/model';
import { chooseFlows } from './elements/choose-flows.js';
import type { Execution } from './execution.js';
import { complete } from './complete.js';
import { adHocMayEnd } from './elements/sub-process.js';
import { asStepFailure, raiseIncident } from './incidents.js';
import { afterTurn, completeLoopInstance, writeOutputCollection } from './loops/loop-instances.js';
import { reportToParent } from './report-to-parent.js';
import { closeWaits } from './steps.js';
import { taintsOfMappings, withResultTaints } from './taint.js';
import { applyOutputMappings, mergeUpwards, scopeOf, setLocal } from './variables.js';

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
  // Leaving failed before, and an event may have started something in the scope since then. Wait for its end.
  if (traitsOf(node).isScope && instance.loop === undefined && isBusy(execution, instance)) return;
  try {
    const written = writeResult(execution, node, instance, result, taints);
    if (instance.loopCounter !== undefined) {
      const next = completeLoopInstance(execution, node, written);
      complete(execution, node, execution.get(key), result);
      yield* afterTurn(execution, node, instance.parent, next);
      return;
    }
    const flows = chooseFlows(execution, node, written);
    complete(execution, node, execution.get(key), result);
    // A compensation handler is outside the sequence flow, whatever scope it runs in.
    if (node.kind === 'linkThrow')
      execution.scheduleEnter({ node: execution.node(node.targetId), scope: instance.parent, via: null });
    if (instance.compensates === undefined) for (const flow of flows) execution.take(flow, instance.parent);
    execution.agenda.push({ type: 'scope', key: instance.parent });
  } catch (error) {
    raiseIncident(execution, withResultTaints(instance, taints), asStepFailure(error), 'leave', result ?? undefined);
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
    if (result !== null && !keepsErrorToItself(node)) mergeUpwards(execution, instance, result, taints);
    return execution.get(instance.key);
  }
  const local = setLocal(execution, instance, result ?? {}, taints);
  // A mapping never hides a decision, because the flows and steps after it rely on it.
  if (node.kind === 'userTask' && result !== null) mergeUpwards(execution, parent, result);
  const mapped = applyOutputMappings(node.outputs, (written) => scopeOf(execution, local, written));
  // A multi-instance loop instance keeps its own variables, where its output element reads them (Zeebe 8.6).
  const isInstance = instance.loopCounter !== undefined && node.loop?.kind === 'multiInstance';
  mergeUpwards(
    execution,
    execution.get(isInstance ? instance.key : parent.key),
    mapped,
    taintsOfMappings(execution, local, node.outputs, { adds: true }),
  );
  return execution.get(instance.key);
}

/**
 * Returns whether the variables of an error stay local to the boundary event that catches it, for its output mappings
 * (Zeebe: throw error).
 */
function keepsErrorToItself(node: FlowNode): boolean {
  return node.kind === 'boundaryEvent' && node.triggers.every(({ kind }) => kind === 'error');
}

/** Completes a scope that no longer holds a token. */
export function* settleScope(execution: Execution, key: number): Generator<void, void> {
  const scope = execution.find(key);
  if (scope === undefined || scope.incident !== undefined || execution.state.outcome !== null) return;
  const node = execution.graph.nodes.get(scope.elementId);
  try {
    if (node?.kind === 'adHocSubProcess' && scope.loop === undefined && !(yield* adHocMayEnd(execution, node, scope)))
      return;
  } catch (error) {
    raiseIncident(execution, execution.get(key), asStepFailure(error), 'settle');
    return;
  }
  if (isBusy(execution, execution.get(key))) return;
  if (scope.parent !== null) {
    if (node !== undefined && traitsOf(node).isScope && scope.loop === undefined) yield* leave(execution, key, null);
    return;
  }
  completeRun(execution, execution.get(key));
}

function isBusy(execution: Execution, scope: ElementInstance): boolean {
  return (
    execution.isEntered(scope.key) ||
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
