import { type ElementInstance, type FlowNode, getNodeTraits } from '@countersign/model';
import type { Execution } from '../execution.js';
import type { ElementMapping } from './element-mapping.js';
import type { MigrationRefusal } from './migration-refusal.js';
import { findCounterpartFlow } from './check-joins.js';
import { findReachableElements, buildPaths } from './element-paths.js';

/**
 * Returns a refusal for each parallel join of the target that tokens can reach but that could never fire, because no
 * token can arrive on one of its flows. The run would wait there forever without a visible reason.
 */
export function* checkLiveness(execution: Execution, mapping: ElementMapping): Generator<void, MigrationRefusal[]> {
  const joins = new Map<string, FlowNode[]>();
  for (const node of mapping.target.nodes.values()) {
    if (getNodeTraits(node).merging === 'all' && node.incoming.length > 1)
      joins.set(node.scopeId, [...(joins.get(node.scopeId) ?? []), node]);
  }
  if (joins.size === 0) return [];
  const paths = buildPaths(mapping.target);
  const refusals = new Map<string, MigrationRefusal>();
  for (const scope of execution.getInstances()) {
    yield;
    const scopeJoins = joins.get(mapping.findTargetId(scope.elementId) ?? '') ?? [];
    if (scopeJoins.length === 0 || scope.loop !== undefined) continue;
    const tokens = execution.children(scope.key).flatMap((each) => mapping.findTargetId(each.elementId) ?? []);
    const flowsWithTokens = findFlowsWithTokens(mapping, scope);
    const reachableElements = findReachableElements(paths, [...tokens, ...flowsWithTokens.keys()]);
    for (const join of scopeJoins) {
      const waiting = flowsWithTokens.get(join.id) ?? [];
      const missing = join.incoming.filter(
        (flow) => !waiting.includes(flow.id) && !reachableElements.has(flow.sourceId),
      );
      if (missing.length === 0 || missing.length === join.incoming.length) continue;
      const flows = missing.map((flow) => `"${flow.id}"`).join(', ');
      const message = `Tokens would wait at "${join.id}" forever: none can arrive on ${flows}.`;
      refusals.set(join.id, { code: 'join_stuck', elementId: join.id, message });
    }
  }
  return [...refusals.values()];
}

/** Returns the flows on which tokens wait, by gateway of the target. */
function findFlowsWithTokens(mapping: ElementMapping, scope: ElementInstance): Map<string, (string | undefined)[]> {
  const flowsWithTokens = new Map<string, (string | undefined)[]>();
  for (const [id, flows] of Object.entries(scope.joins ?? {})) {
    const [before, after] = [mapping.source.nodes.get(id), mapping.findTargetNode(id)];
    if (before !== undefined && after !== undefined)
      flowsWithTokens.set(
        after.id,
        Object.keys(flows).map((flow) => findCounterpartFlow(mapping, before, after, flow)),
      );
  }
  return flowsWithTokens;
}
