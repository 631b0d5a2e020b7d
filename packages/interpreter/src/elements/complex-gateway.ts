import type { ComplexGateway, ElementInstance, JsonObject } from '@countersign/model';
import { cancelInstance } from '../cancel-instance.js';
import type { Execution } from '../execution.js';
import { toStepFailureOrRethrow, StepFailure } from '../incidents.js';
import { scheduleLeave } from '../steps.js';
import { buildEvaluationScope, setLocalVariables } from '../variables.js';
import { canReceiveMoreTokens } from './inclusive-gateway.js';
import { addToken, takeTokens, getWaitingTokens } from './joins.js';

/**
 * Name of the variable that exposes the state of a complex gateway to its conditions (BPMN 2.0, 10.6.6, instance
 * attributes).
 */
const WAITING_FOR_START = 'waitingForStart';

/**
 * Lets a token wait at a complex gateway until its activation condition is true (BPMN 2.0, 13.4.5). Without a
 * condition, every token passes.
 */
export function arriveAtComplexGateway(
  execution: Execution,
  node: ComplexGateway,
  scopeKey: number,
  via: string | null,
): boolean {
  if (node.activationCondition === null || via === null) return true;
  addToken(execution, scopeKey, node.id, via);
  return canActivate(execution, node, execution.get(scopeKey));
}

/**
 * Enters a complex gateway to activate or reset it. Activation takes a token from each flow that has one and records
 * these flows; a reset takes those that arrived later on the other flows (BPMN 2.0, 13.4.5).
 */
export function* enterComplexGateway(
  execution: Execution,
  node: ComplexGateway,
  instance: ElementInstance,
): Generator<void, void> {
  // A gateway that starts an ad-hoc sub-process has no flows to wait for, so the token passes.
  if (node.activationCondition !== null && instance.parent !== null && node.incoming.length > 0) {
    const scope = execution.get(instance.parent);
    const activatedFlows = scope.resets?.[node.id];
    if (activatedFlows === undefined && !isActivated(execution, node, scope)) {
      // The step was recovered, but the condition is now false, so the tokens continue to wait.
      yield* cancelInstance(execution, instance, 'not_activated');
      return;
    }
    const flowsWithTokens = Object.keys(getWaitingTokens(scope, node.id));
    takeTokens(
      execution,
      scope.key,
      node.id,
      activatedFlows === undefined ? flowsWithTokens : flowsWithTokens.filter((flow) => !activatedFlows.includes(flow)),
    );
    storeReset(execution, scope.key, node.id, activatedFlows === undefined ? flowsWithTokens : null);
    setLocalVariables(execution, instance, { [WAITING_FOR_START]: activatedFlows === undefined });
  }
  scheduleLeave(execution, execution.get(instance.key), null);
}

/**
 * Fires a complex gateway once no other token can move, if changed data has made its activation condition true, or if
 * it can be reset because no more tokens can arrive on its remaining flows.
 *
 * @returns whether the gateway fired
 */
export function fireComplexGateway(
  execution: Execution,
  node: ComplexGateway,
  scope: ElementInstance,
  tokens: ReadonlySet<string>,
): boolean {
  const activatedFlows = scope.resets?.[node.id];
  const shouldFire =
    activatedFlows === undefined
      ? canActivate(execution, node, scope)
      : !hasActivationIncident(execution, node, scope) &&
        !canReceiveMoreTokens(execution.graph, node, tokens, [
          ...activatedFlows,
          ...Object.keys(getWaitingTokens(scope, node.id)),
        ]);
  if (shouldFire) execution.scheduleEnter({ node, scope: scope.key, via: null });
  return shouldFire;
}

function canActivate(execution: Execution, node: ComplexGateway, scope: ElementInstance): boolean {
  if (scope.resets?.[node.id] !== undefined || hasActivationIncident(execution, node, scope)) return false;
  try {
    return isActivated(execution, node, scope);
  } catch (error) {
    // Entering the gateway evaluates the condition again, and that failure raises an incident on the step.
    toStepFailureOrRethrow(error);
    return true;
  }
}

/**
 * Returns whether the evaluation of the activation condition has failed with an incident. If so, the gateway is not
 * entered again.
 */
function hasActivationIncident(execution: Execution, node: ComplexGateway, scope: ElementInstance): boolean {
  const isFailedActivation = (child: ElementInstance): boolean =>
    child.elementId === node.id && child.incident !== undefined && child.variables?.[WAITING_FOR_START] === undefined;
  return execution.children(scope.key).some(isFailedActivation);
}

/**
 * Returns whether the activation condition is true. It is not evaluated before a token has arrived (BPMN 2.0, table
 * 13.5).
 */
function isActivated(execution: Execution, node: ComplexGateway, scope: ElementInstance): boolean {
  const waiting = getWaitingTokens(scope, node.id);
  const counts = Object.values(waiting);
  if (counts.length === 0 || node.activationCondition === null) return false;
  const conditionVariables: JsonObject = {
    [WAITING_FOR_START]: true,
    activationCount: counts.reduce((sum, count) => sum + count, 0),
  };
  for (const flow of node.incoming) conditionVariables[flow.id] = waiting[flow.id] ?? 0;
  const value = node.activationCondition.evaluate(buildEvaluationScope(execution, scope, conditionVariables));
  if (typeof value === 'boolean') return value;
  throw new StepFailure(
    'condition_not_boolean',
    `The activation condition of "${node.id}" evaluated to ${JSON.stringify(value)}, not to true or false. ` +
      'Correct the variables that it reads and recover the run.',
  );
}

function storeReset(
  execution: Execution,
  scopeKey: number,
  gatewayId: string,
  activatedFlows: readonly string[] | null,
): void {
  const { resets: old, ...scope } = execution.get(scopeKey);
  const { [gatewayId]: _replaced, ...others } = old ?? {};
  const resets = activatedFlows === null ? others : { ...others, [gatewayId]: activatedFlows };
  execution.put(Object.keys(resets).length === 0 ? scope : { ...scope, resets });
}
