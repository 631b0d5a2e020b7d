import type { JsonObject, WorkflowGraph } from '@countersign/model';
import type { Execution } from './execution.js';

/** Returns the first name in a set of variables that only a decision may write, or `undefined`. */
export function findReservedName(graph: WorkflowGraph, variables: JsonObject): string | undefined {
  return Object.keys(variables).find((name) => graph.resultVariables.has(name));
}

/**
 * Returns the variables of another run, without those that only decisions of this run write: the other run's decisions
 * are different ones.
 */
export function withoutReserved(graph: WorkflowGraph, variables: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !graph.resultVariables.has(name)));
}

/** Refuses external variables that would write the result of a decision. */
export function refuseReserved(execution: Execution, variables: JsonObject, label: string): boolean {
  const name = findReservedName(execution.graph, variables);
  if (name === undefined) return false;
  execution.refuse(
    'result_variable_reserved',
    `Only approval decisions may write "${name}". Remove it from the ${label}.`,
    {
      name,
    },
  );
  return true;
}
