import type { JsonObject } from '../../domain/json.js';
import type { ElementInstance } from '../../domain/run-state.js';
import type { DecisionTask } from '../../domain/workflow-graph.js';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { evaluate, scopeOf } from '../variables.js';

/** Evaluates a DMN decision (Zeebe: `zeebe:calledDecision`), and records which rules made it. */
export function evaluateDecision(execution: Execution, node: DecisionTask, instance: ElementInstance): JsonObject {
  const scope = scopeOf(execution, instance);
  const decisionId = evaluate(node.decisionId, scope);
  if (typeof decisionId !== 'string' || decisionId === '') {
    throw new StepFailure('decision_id_invalid', `The decision of "${node.id}" must be a text, but it is ${JSON.stringify(decisionId)}.`);
  }
  const decision = execution.context.decisions?.(decisionId);
  if (decision === undefined) {
    throw new StepFailure('decision_not_found', `No decision "${decisionId}" is deployed. Deploy it and recover the run.`);
  }
  const { output, trail } = decision.evaluate(scope);
  const { version, digest } = decision;
  execution.emit('decision.evaluated', instance, { decisionId, version, digest }, { output, trail });
  return { [node.resultVariable]: output };
}
