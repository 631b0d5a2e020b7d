import type { FlowNode } from '@countersign/model';
import { FlowGraph } from '../../flow-graph.js';
import { getNextElements, findReachableElements } from '../next-elements.js';
import type { LintRule, LintScope } from '../lint-rule.js';

/** Reports a parallel gateway whose flows can never all deliver a token: a deadlock in every run that reaches it. */
export const neverJoins: LintRule = {
  name: 'never-joins',
  check: ({ scopes, report }) => {
    for (const scope of scopes) for (const { join, message } of findDeadJoins(scope)) report('error', join, message);
  },
};

/** Maximum number of joins reported per scope, because explaining each one requires a search of the whole scope. */
const MAX_REPORTED = 20;

/**
 * Returns the joins of a scope that can never complete, each with a message that states the reason. Omits joins that no
 * token can reach.
 */
export function findDeadJoins(scope: LintScope): readonly { readonly join: string; readonly message: string }[] {
  const { tokens, nodes } = scope;
  const { analysis, net } = tokens;
  if (analysis === null) return [];
  const found: { join: string; message: string }[] = [];
  for (const { join, inputs } of net.transitions) {
    const node = join === null ? undefined : nodes.get(join);
    if (found.length >= MAX_REPORTED) break;
    if (node === undefined || !inputs.some((place) => analysis.concurrency.canBeMarked(place))) continue;
    const getFlowId = (place: number): string => net.places[place]?.flowId ?? '';
    const order = node.incoming.map(({ id }) => id);
    const ordered = [...inputs].sort((one, other) => order.indexOf(getFlowId(one)) - order.indexOf(getFlowId(other)));
    const separatedPair = ordered
      .flatMap((one, index) => ordered.slice(index + 1).map((other) => [one, other] as const))
      .find(([one, other]) => !analysis.concurrency.areConcurrent(one, other));
    if (separatedPair === undefined) continue;
    const unreachablePlace = ordered.find((place) => !analysis.concurrency.canBeMarked(place));
    if (unreachablePlace === undefined) {
      const [one, other] = [getFlowId(separatedPair[0]), getFlowId(separatedPair[1])];
      found.push({
        join: node.id,
        message: `This gateway waits forever: flows "${one}" and "${other}" never both deliver a token${explainSeparation(scope, node, one, other)}. Merge the flows with an exclusive gateway, or split them with a parallel gateway.`,
      });
    } else if (isWaitingForItself(scope, node, getFlowId(unreachablePlace))) {
      found.push({
        join: node.id,
        message: `This gateway waits forever: flow "${getFlowId(unreachablePlace)}" can only be reached through this gateway. Route the loop through an exclusive gateway before this one.`,
      });
    }
  }
  return found;
}

/**
 * Returns the part of the message that names the gateway that takes only one of the two paths; empty if there is no
 * such gateway.
 */
function explainSeparation({ nodes, entries }: LintScope, join: FlowNode, one: string, other: string): string {
  const getSourceId = (id: string): string | undefined => join.incoming.find((flow) => flow.id === id)?.sourceId;
  const [left, right] = [getSourceId(one), getSourceId(other)];
  if (left === undefined || right === undefined) return '';
  const start = '';
  const graph = new FlowGraph([start, ...nodes.keys()], (id) => {
    const node = nodes.get(id);
    return id === start ? entries : node === undefined ? [] : getNextElements(node);
  });
  const dominators = graph.computeImmediateDominators(start);
  const leftDominators = new Set<string>();
  for (let id: string | undefined = left; id !== undefined; id = dominators.get(id)) leftDominators.add(id);
  for (let id: string | undefined = right; id !== undefined; id = dominators.get(id)) {
    if (!leftDominators.has(id)) continue;
    const kind = nodes.get(id)?.kind;
    return kind === 'exclusiveGateway' || kind === 'eventGateway' ? `, because "${id}" takes only one path` : '';
  }
  return '';
}

function isWaitingForItself({ nodes, entries }: LintScope, join: FlowNode, flowId: string): boolean {
  const source = join.incoming.find((flow) => flow.id === flowId)?.sourceId;
  if (source === undefined || !findReachableElements(nodes, [join.id]).has(source)) return false;
  return !findReachableElements(nodes, entries, (node) => node.id === join.id).has(source);
}
