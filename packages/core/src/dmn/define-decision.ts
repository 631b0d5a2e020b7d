import type { DecisionDefinition, DecisionOutcome } from '../domain/advance-result.js';
import type { Decision, EvaluatedDecision } from '../domain/decision.js';
import type { JsonObject } from '../domain/json.js';
import type { EvaluationScope } from '../domain/workflow-graph.js';
import { DecisionFailure } from '../errors/decision-failure.js';

/** A compiled decision as business rule tasks evaluate it, under the version that it was deployed as. */
export function defineDecision(
  decision: Decision,
  { version, digest }: Pick<DecisionDefinition, 'version' | 'digest'>,
): DecisionDefinition {
  const { decisionId } = decision;
  return { decisionId, version, digest, evaluate: (scope) => outcomeOf(decision, scope) };
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
