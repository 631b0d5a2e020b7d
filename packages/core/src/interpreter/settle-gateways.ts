import type { ElementInstance } from '../domain/run-state.js';
import { fireComplex } from './elements/complex-gateway.js';
import { fireInclusive } from './elements/inclusive-gateway.js';
import type { Execution } from './execution.js';
import { placeOf } from './reachability.js';

/**
 * Looks at the gateways that wait for what others do, once nothing else can move: inclusive joins, and complex gateways.
 * In each scope the first one in the document that may fire does; then the tokens move on before any other is looked at,
 * since one that fires may bring another its token. Scopes don't bear on each other (BPMN 2.0, 13.4.3: no path crosses
 * the boundary of a sub-process).
 *
 * @returns whether one fired
 */
export function settleGateways(execution: Execution): boolean {
  if (execution.state.outcome !== null) return false;
  const instances = execution.all();
  const scopes = instances.filter((each) => gatewaysIn(execution, each).length > 0);
  if (scopes.length === 0) return false;
  const tokens = new Map(scopes.map((scope) => [scope.key, new Set(Object.keys(scope.joins ?? {}))]));
  for (const { parent, elementId } of instances) if (parent !== null) tokens.get(parent)?.add(elementId);
  let fired = false;
  for (const scope of scopes) fired = fireOne(execution, scope, tokens.get(scope.key) ?? new Set()) || fired;
  return fired;
}

function fireOne(execution: Execution, scope: ElementInstance, tokens: ReadonlySet<string>): boolean {
  return gatewaysIn(execution, scope).some((id) => {
    const node = execution.node(id);
    if (node.kind === 'inclusiveGateway') return fireInclusive(execution, node, scope, tokens);
    return node.kind === 'complexGateway' && fireComplex(execution, node, scope, tokens);
  });
}

/** Ids of the gateways that may fire without another token, in document order. */
function gatewaysIn({ graph }: Execution, { joins, resets }: ElementInstance): string[] {
  if (joins === undefined && resets === undefined) return [];
  return [...new Set([...Object.keys(joins ?? {}), ...Object.keys(resets ?? {})])]
    .filter((id) => graph.nodes.get(id)?.kind !== 'parallelGateway')
    .sort((a, b) => placeOf(graph, a) - placeOf(graph, b));
}
