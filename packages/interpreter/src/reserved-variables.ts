import type { JsonObject, WorkflowGraph } from '@countersign/model';
import type { Execution } from './execution.js';

/** The first name in a set of variables that only a decision may write, or `undefined`. */
export function reservedName(graph: WorkflowGraph, variables: JsonObject): string | undefined {
  return Object.keys(variables).find((name) => graph.resultVariables.has(name));
}

/** Variables of another run, without those that only decisions of this one write: the other has decided something else. */
export function withoutReserved(graph: WorkflowGraph, variables: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !graph.resultVariables.has(name)));
}

/** Refuses variables from outside that would write the result of a decision. */
export function refuseReserved(execution: Execution, variables: JsonObject, what: string): boolean {
  const name = reservedName(execution.graph, variables);
  if (name === undefined) return false;
  execution.refuse('result_variable_reserved', `"${name}" is written by decisions only; take it out of the ${what}.`, {
    name,
  });
  return true;
}
