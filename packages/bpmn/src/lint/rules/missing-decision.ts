import type { LintRule } from '../lint-rule.js';

/**
 * Reports a business rule task whose DMN decision is not available: the DMN decision must be deployed before a run
 * reaches the task.
 */
export const missingDecision: LintRule = {
  name: 'missing-decision',
  check: ({ graph, decisionIds, report }) => {
    if (decisionIds === null) return;
    for (const node of graph.nodes.values()) {
      if (
        node.kind !== 'decisionTask' ||
        !('literal' in node.decisionId) ||
        typeof node.decisionId.literal !== 'string'
      )
        continue;
      const { literal } = node.decisionId;
      if (decisionIds.has(literal)) continue;
      report(
        'info',
        node.id,
        `This task evaluates the DMN decision "${literal}", which is not in the given files. Deploy it before a run reaches this task.`,
      );
    }
  },
};
