import type { FlowNode } from '@countersign/model';
import { getNextElements } from '../next-elements.js';
import type { LintRule, LintScope } from '../lint-rule.js';

/**
 * Reports a part of the flow that tokens can enter but never leave: the run loops forever, regardless of the decisions
 * in it.
 */
export const noWayOut: LintRule = {
  name: 'no-way-out',
  check: ({ scopes, report }) => {
    for (const scope of scopes) {
      if (scope.isInterruptible) continue;
      const nodesLeadingToEnd = findNodesLeadingToEnd(scope);
      const trappedNodes = findCycles(
        [...scope.nodes.values()].filter(({ id }) => scope.reachable.has(id) && !nodesLeadingToEnd.has(id)),
      );
      const reported = trappedNodes.find(({ kind }) => kind === 'userTask') ?? trappedNodes[0];
      if (reported === undefined) continue;
      const subject =
        reported.kind === 'userTask' ? 'Whatever the approvers decide here, the run' : 'From here, the run';
      report(
        'warning',
        reported.id,
        `${subject} never reaches an end event: every path stays in a loop (${formatIds(trappedNodes)}). Add a path out of the loop.`,
      );
    }
  },
};

/** Returns the ids of the nodes from which a token can reach an end. */
function findNodesLeadingToEnd({ nodes, reachable }: LintScope): ReadonlySet<string> {
  const predecessors = new Map<string, string[]>();
  const found = new Set<string>();
  for (const node of nodes.values()) {
    if (!reachable.has(node.id)) continue;
    const targets = getNextElements(node);
    for (const target of targets) {
      const known = predecessors.get(target);
      if (known === undefined) predecessors.set(target, [node.id]);
      else known.push(node.id);
    }
    if (targets.length === 0 || canEndByRejection(node)) found.add(node.id);
  }
  // Iterating a set includes the elements added during the iteration.
  for (const id of found) for (const predecessor of predecessors.get(id) ?? []) found.add(predecessor);
  return found;
}

/** Returns the nodes in cycles and the nodes after them, by repeatedly removing nodes without incoming flows. */
function findCycles(nodes: readonly FlowNode[]): readonly FlowNode[] {
  const remaining = new Map(nodes.map((node) => [node.id, node]));
  const incoming = new Map<string, number>();
  for (const target of nodes.flatMap(getNextElements)) incoming.set(target, (incoming.get(target) ?? 0) + 1);
  const pending = nodes.filter(({ id }) => !incoming.has(id));
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    remaining.delete(node.id);
    for (const target of getNextElements(node)) {
      const count = (incoming.get(target) ?? 0) - 1;
      incoming.set(target, count);
      const next = remaining.get(target);
      if (count === 0 && next !== undefined) pending.push(next);
    }
  }
  return [...remaining.values()];
}

/** Returns whether a node may end the run by a rejection that the model does not handle. */
function canEndByRejection(node: FlowNode): boolean {
  return node.kind === 'userTask' && !node.approval.outcomeHandledByBpmn;
}

function formatIds(nodes: readonly FlowNode[]): string {
  const names = nodes.slice(0, 5).map(({ id }) => `"${id}"`);
  return nodes.length > names.length ? `${names.join(', ')} …` : names.join(', ');
}
