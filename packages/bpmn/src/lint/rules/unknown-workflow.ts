import type { LintRule } from '../lint-rule.js';

/**
 * Reports a call activity whose process is not available: the process must be deployed before a run reaches the call
 * activity.
 */
export const unknownWorkflow: LintRule = {
  name: 'unknown-workflow',
  check: ({ graph, workflowIds, report }) => {
    if (workflowIds === null) return;
    for (const node of graph.nodes.values()) {
      if (node.kind !== 'callActivity' || !('literal' in node.workflowId)) continue;
      const { literal } = node.workflowId;
      if (workflowIds.has(literal)) continue;
      report(
        'info',
        node.id,
        `This call activity calls "${literal}", which is not in the given files. Deploy it before a run reaches this element.`,
      );
    }
  },
};
