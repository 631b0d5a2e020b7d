import type { JsonObject } from '../../domain/json.js';
import type { ElementInstance } from '../../domain/run-state.js';
import type { ScriptTask } from '../../domain/workflow-graph.js';
import type { Execution } from '../execution.js';
import { scopeOf } from '../variables.js';

/** Evaluates the FEEL expression of a script task (Zeebe: `zeebe:script`). */
export function evaluateScript(execution: Execution, node: ScriptTask, instance: ElementInstance): JsonObject {
  return { [node.resultVariable]: node.expression.evaluate(scopeOf(execution, instance)) };
}
