import type { WorkflowGraph } from '@countersign/model';
import type { ElementMapping } from './element-mapping.js';
import type { MigrationRefusal } from './migration-refusal.js';
import {
  reversePaths,
  findCommonPathElements,
  findReachableElements,
  buildPaths,
  type ElementPaths,
} from './element-paths.js';

/**
 * Checks that a migration bypasses no approval. Otherwise, an operator could map a failed step to a step after an
 * approval, and so decide in place of its candidates. For each token:
 *
 * - an approval on every path to the new element must have been on every path to the old element;
 * - an approval on some path to the new element, but not reachable from it, must have been on some path to the old
 *   element;
 * - an approval that the token could reach must remain reachable, unless the target has no counterpart of the approval.
 *
 * @param tokens ids of the elements that have tokens
 */
export function checkApprovals(mapping: ElementMapping, tokens: Iterable<string>): MigrationRefusal[] {
  const before = new ApprovalPaths(mapping.source);
  const after = new ApprovalPaths(mapping.target);
  const findCounterpart = (id: string): string | undefined => {
    if (after.approvals.has(id)) return id;
    const mapped = mapping.findTargetId(id);
    return mapped !== undefined && after.approvals.has(mapped) ? mapped : undefined;
  };
  const findCounterparts = (ids: readonly string[]): Set<string | undefined> => new Set(ids.map(findCounterpart));
  const refusals: MigrationRefusal[] = [];
  if (after.approvals.size === 0) return refusals;
  for (const from of new Set(tokens)) {
    const to = mapping.findTargetId(from);
    if (to === undefined || !mapping.target.nodes.has(to)) continue;
    const [requiredApprovals, passedApprovals] = [
      findCounterparts(before.findApprovalsOnAllPaths(from)),
      findCounterparts(before.findApprovalsBefore(from)),
    ];
    const reachableApprovals = after.findReachableApprovals(to);
    const skipped = [
      ...after.findApprovalsOnAllPaths(to).filter((id) => !requiredApprovals.has(id)),
      ...after.findApprovalsBefore(to).filter((id) => !reachableApprovals.has(id) && !passedApprovals.has(id)),
      ...[...findCounterparts([...before.findReachableApprovals(from)])].filter(
        (id): id is string => id !== undefined && !reachableApprovals.has(id),
      ),
    ];
    for (const id of new Set(skipped)) {
      const message = `The migration from "${from}" to "${to}" would bypass the approval "${id}".`;
      refusals.push({ code: 'approval_bypassed', elementId: from, message });
    }
  }
  return refusals;
}

/** Finds the approvals on the paths through a version. */
class ApprovalPaths {
  readonly approvals: ReadonlySet<string>;
  private readonly paths: ElementPaths;
  private readonly reversedPaths: ElementPaths;

  constructor(private readonly graph: WorkflowGraph) {
    this.approvals = new Set(
      [...graph.nodes.values()].filter((node) => node.kind === 'userTask').map((node) => node.id),
    );
    this.paths = buildPaths(graph);
    this.reversedPaths = reversePaths(this.paths);
  }

  /** Returns the approvals that are on every path to an element. */
  findApprovalsOnAllPaths(elementId: string): string[] {
    return findCommonPathElements(this.paths, this.graph.workflowId, elementId).filter((id) => this.approvals.has(id));
  }

  /** Returns the approvals that are on some path to an element. */
  findApprovalsBefore(elementId: string): string[] {
    const before = findReachableElements(this.reversedPaths, [elementId]);
    return [...this.approvals].filter((id) => id !== elementId && before.has(id));
  }

  /** Returns the approvals that a token at an element can reach, including the element itself. */
  findReachableApprovals(elementId: string): ReadonlySet<string> {
    const reached = findReachableElements(this.paths, [elementId]);
    return new Set([...this.approvals].filter((id) => reached.has(id)));
  }
}
