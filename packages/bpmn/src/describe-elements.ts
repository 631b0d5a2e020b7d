import { type RunStart, listRunStarts, type WorkflowGraph } from '@countersign/model';

/** A flow node as the API describes it. */
export interface ElementDescription {
  readonly elementId: string;
  readonly name: string | null;
  readonly type: string;
  readonly scopeId: string;
  readonly documentation: string | null;
  /** Triggers with which the element starts runs; omitted if it does not start runs. */
  readonly starts?: readonly Omit<RunStart, 'elementId'>[];
}

/** Returns the flow nodes of a workflow, in document order. */
export function describeElements(graph: WorkflowGraph): readonly ElementDescription[] {
  const starts = new Map<string, Omit<RunStart, 'elementId'>[]>();
  for (const { elementId, ...start } of listRunStarts(graph))
    starts.set(elementId, [...(starts.get(elementId) ?? []), start]);
  return [...graph.nodes.values()].map(({ id, name, type, scopeId, documentation }) => {
    const elementStarts = starts.get(id);
    return {
      elementId: id,
      name,
      type,
      scopeId,
      documentation,
      ...(elementStarts === undefined ? {} : { starts: elementStarts }),
    };
  });
}
