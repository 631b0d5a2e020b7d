import type { ComplexGateway, ElementInstance, InclusiveGateway, WorkflowGraph } from '@countersign/model';
import type { Execution } from '../execution.js';
import { nodesUpstream } from '../reachability.js';
import { addToken, takeTokens, tokensAt } from './joins.js';

/**
 * Lets a token wait at an inclusive join. Whether others are still to come is only known when everything that can move
 * has moved, so the gateway is looked at again then (`fireWaitingGateways`).
 */
export function arriveAtInclusive(
  execution: Execution,
  node: InclusiveGateway,
  scopeKey: number,
  via: string | null,
): boolean {
  if (node.incoming.length < 2 || via === null) return true;
  addToken(execution, scopeKey, node.id, via);
  return false;
}

/**
 * Fires an inclusive join once no token is on its way to an empty flow of it: a token from each flow that has one
 * becomes one (BPMN 2.0, 13.4.3).
 *
 * @param tokens where in the scope tokens are
 * @returns whether it fired
 */
export function fireInclusive(
  execution: Execution,
  node: InclusiveGateway,
  scope: ElementInstance,
  tokens: ReadonlySet<string>,
): boolean {
  const held = Object.keys(tokensAt(scope, node.id));
  if (held.length === 0 || expectsMore(execution.graph, node, tokens, held)) return false;
  takeTokens(execution, scope.key, node.id, held);
  execution.scheduleEnter({ node, scope: scope.key, via: null });
  return true;
}

/**
 * Whether a token may still come on a flow that has none: from where it is, a path leads to such a flow, and none to a
 * flow that has one, both without visiting the gateway (BPMN 2.0, table 13.3). Such a token would be waited for; one
 * that can still reach a flow that has its token already is not, or cycles would wait for themselves.
 */
export function expectsMore(
  graph: WorkflowGraph,
  gateway: InclusiveGateway | ComplexGateway,
  tokens: ReadonlySet<string>,
  held: readonly string[],
): boolean {
  const upstream = nodesUpstream(graph, gateway);
  const isHeld = gateway.incoming.map((flow) => held.includes(flow.id));
  for (const token of tokens) {
    if (upstream.some((nodes, index) => isHeld[index] === true && nodes.has(token))) continue;
    if (upstream.some((nodes, index) => isHeld[index] === false && nodes.has(token))) return true;
  }
  return false;
}
