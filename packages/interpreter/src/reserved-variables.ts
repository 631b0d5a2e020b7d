import type { JsonObject, WorkflowGraph } from '@countersign/model';
import type { Execution } from './execution.js';

/** Returns the name of the first variable that only an approval decision may write, or `undefined`. */
export function findReservedName(graph: WorkflowGraph, variables: JsonObject): string | undefined {
  return Object.keys(variables).find((name) => graph.resultVariables.has(name));
}

/**
 * Returns the variables of another run without those that only approval decisions of this run may write, because
 * decisions of the other run are not valid in this run.
 */
export function withoutReservedVariables(graph: WorkflowGraph, variables: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !graph.resultVariables.has(name)));
}

/**
 * Refuses the command if external variables would overwrite the result of an approval decision.
 *
 * @returns whether the command was refused
 */
export function refuseReservedVariables(execution: Execution, variables: JsonObject, label: string): boolean {
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
