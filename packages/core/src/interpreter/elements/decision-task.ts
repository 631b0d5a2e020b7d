import type { DecisionDefinition } from '../../domain/advance-result.js';
import type { JsonObject } from '../../domain/json.js';
import type { ElementInstance } from '../../domain/run-state.js';
import type { DecisionTask, EvaluationScope } from '../../domain/workflow-graph.js';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { evaluate, scopeOf } from '../variables.js';

/**
 * Evaluates a DMN decision (Zeebe 8.6: `zeebe:calledDecision`), and records which version and which rules made the result,
 * so that a replay can use the same version. A decision that has no result is an incident (Zeebe:
 * `DECISION_EVALUATION_ERROR`), and what was found out until then is recorded.
 */
export function evaluateDecision(execution: Execution, node: DecisionTask, instance: ElementInstance): JsonObject {
  const scope = scopeOf(execution, instance);
  const decision = calledDecision(execution, node, scope);
  const { decisionId, version, digest } = decision;
  const { trail, ...outcome } = decision.evaluate(scope);
  if ('failure' in outcome) {
    const { code, message } = outcome.failure;
    execution.emit('decision.failed', instance, { decisionId, version, digest, code }, trail);
    const remedy = `Deploy a corrected "${decisionId}", or correct the variables, and recover the run.`;
    throw new StepFailure(code, `${message} ${remedy}`);
  }
  const { output, matchedRules } = outcome;
  execution.emit('decision.evaluated', instance, { decisionId, version, digest, matchedRules: [...matchedRules] }, { output, ...trail });
  return { [node.resultVariable]: output };
}

function calledDecision(execution: Execution, node: DecisionTask, scope: EvaluationScope): DecisionDefinition {
  const decisionId = evaluate(node.decisionId, scope);
  if (typeof decisionId !== 'string' || decisionId === '') {
    throw new StepFailure('decision_id_invalid', `The decision of "${node.id}" must be a text, but it is ${JSON.stringify(decisionId)}.`);
  }
  const decision = execution.context.decisions?.(decisionId);
  if (decision !== undefined) return decision;
  throw new StepFailure('decision_not_found', `No decision "${decisionId}" is deployed. Deploy a DMN file that has it, and recover the run.`);
}
