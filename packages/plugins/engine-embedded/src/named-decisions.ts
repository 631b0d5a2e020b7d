import type { WorkflowGraph } from '@countersign/model';

/** A business rule task that names its decision outright; others work it out when they are reached. */
interface NamedDecision {
  readonly elementId: string;
  readonly decisionId: string;
}

export function namedDecisions(graph: WorkflowGraph): NamedDecision[] {
  return [...graph.nodes.values()].flatMap((node) => {
    if (node.kind !== 'decisionTask' || !('literal' in node.decisionId) || typeof node.decisionId.literal !== 'string')
      return [];
    return [{ elementId: node.id, decisionId: node.decisionId.literal }];
  });
}
