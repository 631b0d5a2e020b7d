import type { WorkflowGraph } from '@countersign/model';
import type { ElementMapping, MigrationRefusal } from './element-mapping.js';
import { backwards, commonPathElements, reachableFrom, buildPaths, type ElementPaths } from './element-paths.js';

/**
 * Checks that a migration bypasses no approval. An operator who could map a failed step to one after an approval would
 * decide instead of its candidates. So, for each token:
 *
 * - an approval on every path to its new element must have been on every path to its old one;
 * - an approval that is only before its new element in the target must have been before its old one in the source;
 * - an approval that it could still reach must remain reachable, unless the target does not have it at all.
 *
 * @param tokens ids of the elements that hold tokens
 */
export function checkApprovals(mapping: ElementMapping, tokens: Iterable<string>): MigrationRefusal[] {
  const before = new ApprovalWays(mapping.source);
  const after = new ApprovalWays(mapping.target);
  const counterpart = (id: string): string | undefined => {
    if (after.approvals.has(id)) return id;
    const mapped = mapping.of(id);
    return mapped !== undefined && after.approvals.has(mapped) ? mapped : undefined;
  };
  const counterparts = (ids: readonly string[]): Set<string | undefined> => new Set(ids.map(counterpart));
  const refusals: MigrationRefusal[] = [];
  if (after.approvals.size === 0) return refusals;
  for (const from of new Set(tokens)) {
    const to = mapping.of(from);
    if (to === undefined || !mapping.target.nodes.has(to)) continue;
    const [required, passed] = [counterparts(before.required(from)), counterparts(before.behind(from))];
    const ahead = after.ahead(to);
    const skipped = [
      ...after.required(to).filter((id) => !required.has(id)),
      ...after.behind(to).filter((id) => !ahead.has(id) && !passed.has(id)),
      ...[...counterparts([...before.ahead(from)])].filter((id): id is string => id !== undefined && !ahead.has(id)),
    ];
    for (const id of new Set(skipped)) {
      const message = `At "${to}" the approval "${id}" would count as passed, but it was never requested in this run.`;
      refusals.push({ code: 'approval_bypassed', elementId: from, message });
    }
  }
  return refusals;
}

/** The positions of a version's approvals on the paths through it. */
class ApprovalWays {
  readonly approvals: ReadonlySet<string>;
  private readonly ways: ElementPaths;
  private readonly back: ElementPaths;

  constructor(private readonly graph: WorkflowGraph) {
    this.approvals = new Set(
      [...graph.nodes.values()].filter((node) => node.kind === 'userTask').map((node) => node.id),
    );
    this.ways = buildPaths(graph);
    this.back = backwards(this.ways);
  }

  /** Returns the approvals that are on every path to an element. */
  required(elementId: string): string[] {
    return commonPathElements(this.ways, this.graph.workflowId, elementId).filter((id) => this.approvals.has(id));
  }

  /** Returns the approvals that are on some path to an element. */
  behind(elementId: string): string[] {
    const before = reachableFrom(this.back, [elementId]);
    return [...this.approvals].filter((id) => id !== elementId && before.has(id));
  }

  /** Returns the approvals that a token at an element is at, or can reach. */
  ahead(elementId: string): ReadonlySet<string> {
    const reached = reachableFrom(this.ways, [elementId]);
    return new Set([...this.approvals].filter((id) => reached.has(id)));
  }
}
