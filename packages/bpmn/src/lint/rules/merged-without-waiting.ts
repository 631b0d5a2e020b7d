import { type FlowNode, getNodeTraits } from '@countersign/model';
import { isJoin, findReachableElements } from '../next-elements.js';
import type { LintRule, LintScope } from '../lint-rule.js';
import type { Arc } from '../token-net.js';
import { areCompatible, describeChoices } from './choices.js';

/**
 * Reports parallel paths that meet without waiting for each other, so that everything after the merge runs twice ("lack
 * of synchronization").
 */
export const mergedWithoutWaiting: LintRule = {
  name: 'merged-without-waiting',
  check: ({ scopes, report }) => {
    for (const scope of scopes) {
      const reported = new Set<string>();
      for (const { arcs, choices } of scope.tokens.analysis?.unsafeMarkings ?? []) {
        if (!areCompatible(choices)) continue;
        for (const merge of findMergePoints(arcs)) {
          const executedNode = reported.has(merge) ? undefined : findExecutedNodeAfter(scope, merge);
          if (executedNode === undefined) continue;
          reported.add(merge);
          const effect = executedNode.id === merge ? 'this element is executed' : `"${executedNode.id}" is executed`;
          report(
            'warning',
            merge,
            `Parallel paths meet here without waiting for each other, so ${effect} once for each path${describeChoices(choices)}. Use a parallel gateway to wait for all paths.`,
          );
        }
      }
    }
  },
};

/** Returns, for each pair of the given arcs, the first element at which they meet. */
function findMergePoints(arcs: readonly Arc[]): ReadonlySet<string> {
  const pairs = arcs.flatMap((one, index) => arcs.slice(index + 1).map((other) => [one, other] as const));
  const found = pairs.map(([one, other]) => one.via.find((id) => other.via.includes(id)));
  return new Set(found.filter((id) => id !== undefined));
}

/**
 * Returns an activity or event that a token executes after a merge (or the merge itself) before it waits for others.
 */
function findExecutedNodeAfter({ nodes }: LintScope, merge: string): FlowNode | undefined {
  const waitsForTokens = (node: FlowNode): boolean => isJoin(node) || getNodeTraits(node).merging === 'gather';
  return [...findReachableElements(nodes, [merge], waitsForTokens)]
    .map((id) => nodes.get(id))
    .find((node) => node !== undefined && hasEffect(node));
}

function hasEffect(node: FlowNode): boolean {
  if (node.kind === 'endEvent')
    return node.throws.some(({ kind }) => kind !== 'terminate' && kind !== 'error' && kind !== 'cancel');
  return (
    !node.type.endsWith('Gateway') &&
    node.kind !== 'linkThrow' &&
    node.kind !== 'boundaryEvent' &&
    !(node.kind === 'throw' && node.throws.length === 0)
  );
}
