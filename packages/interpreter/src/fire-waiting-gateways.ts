import {
  type ElementInstance,
  type FlowNode,
  type GatheringKind,
  getNodeTraits,
  unreachable,
} from '@countersign/model';
import { fireComplexGateway } from './elements/complex-gateway.js';
import { fireInclusiveGateway } from './elements/inclusive-gateway.js';
import type { Execution } from './execution.js';
import { getDocumentPosition } from './reachability.js';

/**
 * Checks the gateways that wait for other tokens, once nothing else can move: inclusive joins and complex gateways. In
 * each scope, only the first gateway in document order that can fire is fired. Its token moves on before another
 * gateway is checked, because it may reach that gateway. Scopes are independent (BPMN 2.0, 13.4.3: no path crosses the
 * boundary of a sub-process).
 *
 * @returns whether a gateway fired
 */
export function fireWaitingGateways(execution: Execution): boolean {
  if (execution.state.outcome !== null) return false;
  const instances = execution.getInstances();
  const scopes = instances.filter((each) => findWaitingGateways(execution, each).length > 0);
  if (scopes.length === 0) return false;
  const tokens = new Map(scopes.map((scope) => [scope.key, new Set(Object.keys(scope.joins ?? {}))]));
  for (const { parent, elementId } of instances) if (parent !== null) tokens.get(parent)?.add(elementId);
  let hasFired = false;
  for (const scope of scopes)
    hasFired = fireFirstGateway(execution, scope, tokens.get(scope.key) ?? new Set()) || hasFired;
  return hasFired;
}

function fireFirstGateway(execution: Execution, scope: ElementInstance, tokens: ReadonlySet<string>): boolean {
  return findWaitingGateways(execution, scope).some((id) => {
    const node = execution.node(id);
    return isGathering(node) && fireGateway(execution, node, scope, tokens);
  });
}

function fireGateway(
  execution: Execution,
  node: GatheringNode,
  scope: ElementInstance,
  tokens: ReadonlySet<string>,
): boolean {
  switch (node.kind) {
    case 'inclusiveGateway':
      return fireInclusiveGateway(execution, node, scope, tokens);
    case 'complexGateway':
      return fireComplexGateway(execution, node, scope, tokens);
    default:
      return unreachable(node);
  }
}

type GatheringNode = Extract<FlowNode, { kind: GatheringKind }>;

function isGathering(node: FlowNode | undefined): node is GatheringNode {
  return node !== undefined && getNodeTraits(node).merging === 'gather';
}

/** Returns the ids of the gateways that may fire without another token, in document order. */
function findWaitingGateways({ graph }: Execution, { joins, resets }: ElementInstance): string[] {
  if (joins === undefined && resets === undefined) return [];
  return [...new Set([...Object.keys(joins ?? {}), ...Object.keys(resets ?? {})])]
    .filter((id) => isGathering(graph.nodes.get(id)))
    .sort((a, b) => getDocumentPosition(graph, a) - getDocumentPosition(graph, b));
}
