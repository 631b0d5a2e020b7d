import type { ElementInstance, JsonObject, ScriptTask } from '@countersign/model';
import type { Execution } from '../execution.js';
import { buildEvaluationScope } from '../variables.js';

/** Evaluates the FEEL expression of a script task (Zeebe: `zeebe:script`). */
export function evaluateScript(execution: Execution, node: ScriptTask, instance: ElementInstance): JsonObject {
  return { [node.resultVariable]: node.expression.evaluate(buildEvaluationScope(execution, instance)) };
}
