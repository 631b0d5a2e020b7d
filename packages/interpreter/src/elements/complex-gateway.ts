import type { ComplexGateway, ElementInstance, JsonObject } from '@countersign/model';
import { cancelInstance } from '../cancel-instance.js';
import type { Execution } from '../execution.js';
import { asStepFailure, StepFailure } from '../incidents.js';
import { scheduleLeave } from '../steps.js';
import { scopeOf, setLocal } from '../variables.js';
import { expectsMore } from './inclusive-gateway.js';
import { addToken, takeTokens, tokensAt } from './joins.js';

/** What the conditions of a complex gateway see of its state (BPMN 2.0, 10.6.6, instance attributes). */
const WAITING_FOR_START = 'waitingForStart';

/**
 * Lets a token wait at a complex gateway until its activation condition holds (BPMN 2.0, 13.4.5). Without a condition
 * every token passes.
 */
export function arriveAtComplex(
  execution: Execution,
  node: ComplexGateway,
  scopeKey: number,
  via: string | null,
): boolean {
  if (node.activationCondition === null || via === null) return true;
  addToken(execution, scopeKey, node.id, via);
  return mayActivate(execution, node, execution.get(scopeKey));
}

/**
 * A complex gateway is entered to be activated, or to be reset. Activated, it takes a token from each flow that has one,
 * and remembers which; reset, it takes those that came later on the other flows (BPMN 2.0, 13.4.5).
 */
export function* enterComplexGateway(
  execution: Execution,
  node: ComplexGateway,
  instance: ElementInstance,
): Generator<void, void> {
  // One that an ad-hoc sub-process begins with has no flows to wait for: it is passed.
  if (node.activationCondition !== null && instance.parent !== null && node.incoming.length > 0) {
    const scope = execution.get(instance.parent);
    const taken = scope.resets?.[node.id];
    if (taken === undefined && !isActivated(execution, node, scope)) {
      // Recovered, but what it failed to find out is now: no. The tokens go on waiting.
      yield* cancelInstance(execution, instance, 'not_activated');
      return;
    }
    const held = Object.keys(tokensAt(scope, node.id));
    takeTokens(
      execution,
      scope.key,
      node.id,
      taken === undefined ? held : held.filter((flow) => !taken.includes(flow)),
    );
    putReset(execution, scope.key, node.id, taken === undefined ? held : null);
    setLocal(execution, instance, { [WAITING_FOR_START]: taken === undefined });
  }
  scheduleLeave(execution, execution.get(instance.key), null);
}

/**
 * Looks at a complex gateway when everything that can move has moved: whether what changed makes its condition true, or
 * whether it may be reset, because no more tokens can come on the flows that had none.
 *
 * @returns whether it fired
 */
export function fireComplex(
  execution: Execution,
  node: ComplexGateway,
  scope: ElementInstance,
  tokens: ReadonlySet<string>,
): boolean {
  const taken = scope.resets?.[node.id];
  const fires =
    taken === undefined
      ? mayActivate(execution, node, scope)
      : !isUndecided(execution, node, scope) &&
        !expectsMore(execution.graph, node, tokens, [...taken, ...Object.keys(tokensAt(scope, node.id))]);
  if (fires) execution.scheduleEnter({ node, scope: scope.key, via: null });
  return fires;
}

function mayActivate(execution: Execution, node: ComplexGateway, scope: ElementInstance): boolean {
  if (scope.resets?.[node.id] !== undefined || isUndecided(execution, node, scope)) return false;
  try {
    return isActivated(execution, node, scope);
  } catch (error) {
    // Entered, it fails again, and that is an incident of the step.
    asStepFailure(error);
    return true;
  }
}

/** Whether the gateway stands in an incident of finding out whether it is activated: then it is not entered once more. */
function isUndecided(execution: Execution, node: ComplexGateway, scope: ElementInstance): boolean {
  const isIt = (child: ElementInstance): boolean =>
    child.elementId === node.id && child.incident !== undefined && child.variables?.[WAITING_FOR_START] === undefined;
  return execution.children(scope.key).some(isIt);
}

/** The condition is not looked at before there is a token (BPMN 2.0, table 13.5). */
function isActivated(execution: Execution, node: ComplexGateway, scope: ElementInstance): boolean {
  const waiting = tokensAt(scope, node.id);
  const counts = Object.values(waiting);
  if (counts.length === 0 || node.activationCondition === null) return false;
  const seen: JsonObject = {
    [WAITING_FOR_START]: true,
    activationCount: counts.reduce((sum, count) => sum + count, 0),
  };
  for (const flow of node.incoming) seen[flow.id] = waiting[flow.id] ?? 0;
  const value = node.activationCondition.evaluate(scopeOf(execution, scope, seen));
  if (typeof value === 'boolean') return value;
  throw new StepFailure(
    'condition_not_boolean',
    `The activation condition of "${node.id}" gave ${JSON.stringify(value)} and not true or false. ` +
      'Correct the variables that it reads and recover the run.',
  );
}

function putReset(execution: Execution, scopeKey: number, gatewayId: string, taken: readonly string[] | null): void {
  const { resets: old, ...scope } = execution.get(scopeKey);
  const { [gatewayId]: _replaced, ...others } = old ?? {};
  const resets = taken === null ? others : { ...others, [gatewayId]: taken };
  execution.put(Object.keys(resets).length === 0 ? scope : { ...scope, resets });
}
