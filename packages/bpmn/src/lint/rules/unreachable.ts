import type { LintRule } from '../lint-rule.js';

/**
 * Reports an element that is not reachable from a start event. The compiler only checks whether it has an incoming
 * flow.
 */
export const unreachable: LintRule = {
  name: 'unreachable',
  check: ({ scopes, report }) => {
    for (const { nodes, entries, reachable } of scopes) {
      if (entries.length === 0) continue;
      for (const node of nodes.values()) {
        if (reachable.has(node.id) || node.kind === 'eventSubProcess' || node.isForCompensation) continue;
        // Boundary events of compensation handlers, or of unreachable activities.
        if (node.kind === 'boundaryEvent' && !reachable.has(node.attachedTo)) continue;
        if (node.kind === 'boundaryEvent' && node.triggers.some(({ kind }) => kind === 'compensation')) continue;
        report(
          'error',
          node.id,
          `No path leads from a start event to this ${node.type}, so it is never executed. Connect it or remove it.`,
        );
      }
    }
  },
};
