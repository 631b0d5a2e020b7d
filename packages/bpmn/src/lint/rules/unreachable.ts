import type { LintRule } from '../lint-rule.js';

/** An element that no path leads to from a start event: the compiler sees only whether a flow leads to it at all. */
export const unreachable: LintRule = {
  name: 'unreachable',
  check: ({ scopes, report }) => {
    for (const { nodes, entries, reachable } of scopes) {
      if (entries.length === 0) continue;
      for (const node of nodes.values()) {
        if (reachable.has(node.id) || node.kind === 'eventSubProcess' || node.isForCompensation) continue;
        // Events at the border of what compensates, or of what is not reached either.
        if (node.kind === 'boundaryEvent' && !reachable.has(node.attachedTo)) continue;
        if (node.kind === 'boundaryEvent' && node.triggers.some(({ kind }) => kind === 'compensation')) continue;
        report(
          'error',
          node.id,
          `No path leads from a start event to this ${node.type}, so that it is never executed. Connect it, or remove it.`,
        );
      }
    }
  },
};
