import type { ComplexGateway, ElementInstance, InclusiveGateway, WorkflowGraph } from '@countersign/model';
import type { Execution } from '../execution.js';
import { findUpstreamNodes } from '../reachability.js';
import { addToken, takeTokens, getWaitingTokens } from './joins.js';

/**
 * Adds an arriving token to an inclusive join. Once no other token can move, `fireWaitingGateways` checks the gateway:
 * before that, it is unknown whether more tokens can arrive.
 */
export function arriveAtInclusiveGateway(
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
 * Fires an inclusive join once no more tokens can arrive on its empty flows. It takes one token from each flow that has
 * any, and a single token continues (BPMN 2.0, 13.4.3).
 *
 * @param tokens ids of the elements in the scope that have tokens
 * @returns whether the join fired
 */
export function fireInclusiveGateway(
  execution: Execution,
  node: InclusiveGateway,
  scope: ElementInstance,
  tokens: ReadonlySet<string>,
): boolean {
  const flowsWithTokens = Object.keys(getWaitingTokens(scope, node.id));
  if (flowsWithTokens.length === 0 || canReceiveMoreTokens(execution.graph, node, tokens, flowsWithTokens))
    return false;
  takeTokens(execution, scope.key, node.id, flowsWithTokens);
  execution.scheduleEnter({ node, scope: scope.key, via: null });
  return true;
}

/**
 * Returns whether a token can still arrive on an empty flow: a path leads from the token's element to an empty flow,
 * and no path leads to a flow that has a token, in both cases without visiting the gateway (BPMN 2.0, table 13.3). The
 * join does not wait for a token that can still reach a flow with a token; otherwise, cycles would wait for themselves.
 */
export function canReceiveMoreTokens(
  graph: WorkflowGraph,
  gateway: InclusiveGateway | ComplexGateway,
  tokens: ReadonlySet<string>,
  flowsWithTokens: readonly string[],
): boolean {
  const upstream = findUpstreamNodes(graph, gateway);
  const hasTokenByFlow = gateway.incoming.map((flow) => flowsWithTokens.includes(flow.id));
  for (const token of tokens) {
    if (upstream.some((nodes, index) => hasTokenByFlow[index] === true && nodes.has(token))) continue;
    if (upstream.some((nodes, index) => hasTokenByFlow[index] === false && nodes.has(token))) return true;
  }
  return false;
}
