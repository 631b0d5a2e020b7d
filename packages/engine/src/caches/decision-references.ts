import type { WorkflowGraph } from '@countersign/model';

/** Business rule task with a literal DMN decision id. Other tasks compute the id when they are entered. */
interface DecisionReference {
  readonly elementId: string;
  readonly decisionId: string;
}

export function findDecisionReferences(graph: WorkflowGraph): DecisionReference[] {
  return [...graph.nodes.values()].flatMap((node) => {
    if (node.kind !== 'decisionTask' || !('literal' in node.decisionId) || typeof node.decisionId.literal !== 'string')
      return [];
    return [{ elementId: node.id, decisionId: node.decisionId.literal }];
  });
}
