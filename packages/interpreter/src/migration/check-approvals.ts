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
 * Checks that a migration bypasses no approval. An operator who could map a failed step to a step after an approval
 * would decide instead of its candidates. So, for each token:
 *
 * - an approval on every path to its new element must have been on every path to its old one;
 * - an approval that is only before its new element in the target must have been before its old one in the source;
 * - an approval that it could still reach must remain reachable, unless the target does not have it at all.
 *
 * @param tokens ids of the elements that hold tokens
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
      findCounterparts(before.approvalsOnAllPaths(from)),
      findCounterparts(before.approvalsBefore(from)),
    ];
    const reachableApprovals = after.approvalsAhead(to);
    const skipped = [
      ...after.approvalsOnAllPaths(to).filter((id) => !requiredApprovals.has(id)),
      ...after.approvalsBefore(to).filter((id) => !reachableApprovals.has(id) && !passedApprovals.has(id)),
      ...[...findCounterparts([...before.approvalsAhead(from)])].filter(
        (id): id is string => id !== undefined && !reachableApprovals.has(id),
      ),
    ];
    for (const id of new Set(skipped)) {
      const message = `At "${to}" the approval "${id}" would count as passed, but it was never requested in this run.`;
      refusals.push({ code: 'approval_bypassed', elementId: from, message });
    }
  }
  return refusals;
}

/** The positions of a version's approvals on the paths through it. */
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
  approvalsOnAllPaths(elementId: string): string[] {
    return findCommonPathElements(this.paths, this.graph.workflowId, elementId).filter((id) => this.approvals.has(id));
  }

  /** Returns the approvals that are on some path to an element. */
  approvalsBefore(elementId: string): string[] {
    const before = findReachableElements(this.reversedPaths, [elementId]);
    return [...this.approvals].filter((id) => id !== elementId && before.has(id));
  }

  /** Returns the approvals that a token at an element is at, or can reach. */
  approvalsAhead(elementId: string): ReadonlySet<string> {
    const reached = findReachableElements(this.paths, [elementId]);
    return new Set([...this.approvals].filter((id) => reached.has(id)));
  }
}
