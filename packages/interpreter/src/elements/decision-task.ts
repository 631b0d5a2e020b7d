import {
  type DecisionDefinition,
  type DecisionTask,
  type ElementInstance,
  type EvaluationScope,
  type JsonObject,
  taintAll,
  mergeTaintSources,
} from '@countersign/model';
import { addDeployer } from '../contributors.js';
import type { Execution } from '../execution.js';
import { toRecordedDeployer } from '../recorded-deployer.js';
import { StepFailure } from '../incidents.js';
import { evaluateName } from '../names.js';
import { scheduleLeave } from '../steps.js';
import { getVariableTaintSources } from '../taint.js';
import { buildEvaluationScope } from '../variables.js';

/**
 * Evaluates a DMN decision (Zeebe 8.6: `zeebe:calledDecision`). Records which version and rules produced the result, so
 * a replay can use the same version. A DMN decision without a result raises an incident (Zeebe:
 * `DECISION_EVALUATION_ERROR`), and the evaluation so far is recorded.
 */
export function* evaluateDecision(
  execution: Execution,
  node: DecisionTask,
  instance: ElementInstance,
): Generator<void, void> {
  const readNames = new Set<string>();
  const scope = trackReads(buildEvaluationScope(execution, instance), readNames);
  const decision = resolveDecision(execution, node, scope);
  const { decisionId, version, digest, deployedBy } = decision;
  const { trail, ...evaluation } = decision.evaluate(scope);
  if ('failure' in evaluation) {
    const { code, message } = evaluation.failure;
    execution.emit('decision.failed', instance, { decisionId, version, digest, code }, trail);
    const remedy = `Deploy a corrected "${decisionId}", or correct the variables, and recover the run.`;
    throw new StepFailure(code, `${message} ${remedy}`);
  }
  const { output, matchedRules } = evaluation;
  execution.emit(
    'decision.evaluated',
    instance,
    { decisionId, version, digest, matchedRules: [...matchedRules] },
    { output, ...trail, ...toRecordedDeployer(decision) },
  );
  yield* addDeployer(execution, deployedBy);
  const result: JsonObject = { [node.resultVariable]: output };
  scheduleLeave(
    execution,
    instance,
    result,
    taintAll(
      result,
      mergeTaintSources(...[...readNames].map((name) => getVariableTaintSources(execution, instance, name))),
    ),
  );
}

/** Returns a scope that records the variables that a DMN decision reads, which are unknown before its evaluation. */
function trackReads(scope: EvaluationScope, readNames: Set<string>): EvaluationScope {
  return { ...scope, variables: { get: (name) => (readNames.add(name), scope.variables.get(name)) } };
}

function resolveDecision(execution: Execution, node: DecisionTask, scope: EvaluationScope): DecisionDefinition {
  const decisionId = evaluateName(
    node.decisionId,
    scope,
    'decision_id_invalid',
    `The id of the DMN decision that "${node.id}" evaluates`,
  );
  const decision = execution.context.decisions?.(decisionId);
  if (decision !== undefined) return decision;
  throw new StepFailure(
    'decision_not_found',
    `DMN decision "${decisionId}" is not deployed. Deploy a DMN file that contains it, and recover the run.`,
  );
}
