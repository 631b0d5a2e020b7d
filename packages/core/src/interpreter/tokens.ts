import type { JsonObject } from '../domain/json.js';
import type { ElementInstance } from '../domain/run-state.js';
import type { FlowNode } from '../domain/workflow-graph.js';
import { chooseFlows } from './elements/choose-flows.js';
import type { Execution } from './execution.js';
import { asStepFailure, raiseIncident } from './incidents.js';
import { applyMappings, mergeUpwards, scopeOf, setLocal } from './variables.js';

/** Puts the end of an instance on the agenda; what it leaves with is settled when its turn comes. */
export function leaveLater(execution: Execution, instance: ElementInstance, result: JsonObject | null): void {
  execution.agenda.push({ type: 'leave', key: instance.key, result });
}

/**
 * Ends an instance: its result becomes variables, its output mappings are applied, and its outgoing flows are taken.
 * Whatever fails here is an incident of the step, and a recovery repeats it with the same result.
 */
export function leave(execution: Execution, key: number, result: JsonObject | null): void {
  const instance = execution.find(key);
  if (instance === undefined || instance.parent === null) return;
  const node = execution.node(instance.elementId);
  try {
    const flows = chooseFlows(execution, node, writeResult(execution, node, instance, result));
    complete(execution, node, execution.get(key), result);
    for (const flow of flows) execution.take(flow, instance.parent);
    execution.agenda.push({ type: 'scope', key: instance.parent });
  } catch (error) {
    raiseIncident(execution, instance, asStepFailure(error), 'leave', result ?? undefined);
  }
}

function writeResult(
  execution: Execution,
  node: FlowNode,
  instance: ElementInstance,
  result: JsonObject | null,
): ElementInstance {
  const parent = execution.get(instance.parent ?? execution.state.root);
  if (node.outputs.length === 0) {
    if (result !== null) mergeUpwards(execution, instance, result);
    return execution.get(instance.key);
  }
  const local = setLocal(execution, instance, result ?? {});
  // What was decided is never hidden behind a mapping: the flows and the steps behind it rely on it.
  if (node.kind === 'userTask' && result !== null) mergeUpwards(execution, parent, result);
  const mapped = applyMappings(node.outputs, (written) => scopeOf(execution, local, written));
  mergeUpwards(execution, execution.get(parent.key), mapped);
  return local;
}

function complete(execution: Execution, node: FlowNode, instance: ElementInstance, result: JsonObject | null): void {
  execution.remove(instance.key);
  const known = node.kind === 'jobTask' || node.kind === 'userTask' || node.kind === 'catch';
  const data: JsonObject = known
    ? {}
    : { name: node.name, type: node.type, enteredSeq: instance.enteredSeq, iteration: instance.iteration };
  execution.emit('step.completed', instance, data, result === null ? null : { output: result });
}

/** Completes a scope that holds no token any more. */
export function settleScope(execution: Execution, key: number): void {
  const scope = execution.find(key);
  if (scope === undefined || scope.parent !== null) return;
  const busy =
    execution.agenda.some((item) => item.type === 'enter' && item.scope === key) ||
    execution.children(key).length > 0 ||
    Object.keys(scope.joins ?? {}).length > 0;
  if (busy || execution.state.outcome !== null) return;
  execution.update({ outcome: 'completed', completedAt: execution.now });
  execution.emit('run.completed', null, {}, null);
}
