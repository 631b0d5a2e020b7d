import type { WorkflowGraph } from '../domain/workflow-graph.js';

/** What the API tells of a flow node. */
export interface ElementDescription {
  readonly elementId: string;
  readonly name: string | null;
  readonly type: string;
  readonly scopeId: string;
  readonly documentation: string | null;
}

/** The flow nodes of a workflow, in document order. */
export function describeElements(graph: WorkflowGraph): readonly ElementDescription[] {
  return [...graph.nodes.values()].map(({ id, name, type, scopeId, documentation }) => ({
    elementId: id,
    name,
    type,
    scopeId,
    documentation,
  }));
}
