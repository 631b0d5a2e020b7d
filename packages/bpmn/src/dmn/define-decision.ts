import {
  type Decision,
  type DecisionDefinition,
  DecisionFailure,
  type DecisionOutcome,
  type EvaluatedDecision,
  type EvaluationScope,
  type JsonObject,
} from '@countersign/model';

/** A compiled decision as business rule tasks evaluate it, under the version that it was deployed as. */
export function defineDecision(
  decision: Decision,
  { version, digest, deployedBy }: Pick<DecisionDefinition, 'version' | 'digest' | 'deployedBy'>,
): DecisionDefinition {
  const { decisionId } = decision;
  return {
    decisionId,
    version,
    digest,
    ...(deployedBy === undefined ? {} : { deployedBy }),
    evaluate: (scope) => outcomeOf(decision, scope),
  };
}

function outcomeOf(decision: Decision, scope: EvaluationScope): DecisionOutcome {
  try {
    const { output, evaluatedDecisions } = decision.evaluate(scope);
    const matchedRules = evaluatedDecisions.at(-1)?.matchedRules.map(({ ruleId }) => ruleId) ?? [];
    return { output, matchedRules, trail: trailOf(evaluatedDecisions) };
  } catch (error) {
    if (!(error instanceof DecisionFailure)) throw error;
    const { code, message, evaluatedDecisions } = error;
    return { failure: { code, message }, trail: trailOf(evaluatedDecisions) };
  }
}

/** It holds nothing but JSON; only that it is not to be written to is more than that type says. */
function trailOf(evaluatedDecisions: readonly EvaluatedDecision[]): JsonObject {
  return { evaluatedDecisions } as unknown as JsonObject;
}
