import {
  type DmnDecision,
  type DecisionDefinition,
  DecisionFailure,
  type DmnDecisionEvaluation,
  type EvaluatedDecision,
  type EvaluationScope,
  type JsonObject,
} from '@countersign/model';

/** Returns the definition that business rule tasks evaluate: a compiled DMN decision and its deployed version. */
export function defineDecision(
  decision: DmnDecision,
  { version, digest, deployedBy }: Pick<DecisionDefinition, 'version' | 'digest' | 'deployedBy'>,
): DecisionDefinition {
  const { decisionId } = decision;
  return {
    decisionId,
    version,
    digest,
    ...(deployedBy === undefined ? {} : { deployedBy }),
    evaluate: (scope) => evaluateWithTrail(decision, scope),
  };
}

function evaluateWithTrail(decision: DmnDecision, scope: EvaluationScope): DmnDecisionEvaluation {
  try {
    const { output, evaluatedDecisions } = decision.evaluate(scope);
    const matchedRules = evaluatedDecisions.at(-1)?.matchedRules.map(({ ruleId }) => ruleId) ?? [];
    return { output, matchedRules, trail: toTrail(evaluatedDecisions) };
  } catch (error) {
    if (!(error instanceof DecisionFailure)) throw error;
    const { code, message, evaluatedDecisions } = error;
    return { failure: { code, message }, trail: toTrail(evaluatedDecisions) };
  }
}

/** Casts a trail to JSON. It contains only JSON, but its types are readonly, unlike `JsonObject`. */
function toTrail(evaluatedDecisions: readonly EvaluatedDecision[]): JsonObject {
  return { evaluatedDecisions } as unknown as JsonObject;
}
