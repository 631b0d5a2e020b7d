import { FeelEvaluation } from '@countersign/feel';
import {
  DecisionFailure,
  type DmnDecisionResult,
  type EvaluatedDecision,
  type EvaluationScope,
} from '@countersign/model';
import type { CompiledDecision } from './decision-logic.js';
import { DecisionError } from './decision-error.js';
import { DecisionScope } from './decision-scope.js';
import { DecisionTrail } from './decision-trail.js';
import { evaluateTable } from './evaluate-table.js';

/**
 * Evaluates a DMN decision after all DMN decisions that it requires, directly or indirectly. Each of them is evaluated
 * once. A DMN decision can read the variables and the results of the DMN decisions that it requires directly. A result
 * hides a variable of the same name.
 */
export function evaluateDecision(decision: CompiledDecision, scope: EvaluationScope): DmnDecisionResult {
  const decisionScope = new DecisionScope(scope.variables);
  const evaluation = new FeelEvaluation({ variables: decisionScope, now: scope.now, meter: scope.meter });
  const results = new Map<CompiledDecision, unknown>();
  const evaluated: EvaluatedDecision[] = [];
  try {
    for (const next of orderDependencies(decision)) {
      decisionScope.setResults(new Map(next.requires.map((required) => [required.resultName, results.get(required)])));
      const trail = new DecisionTrail(next, evaluation);
      try {
        const value = evaluateLogic(next, evaluation, trail);
        results.set(next, value);
        // Only the last result becomes a variable.
        evaluated.push(trail.build(next === decision ? evaluation.toJson(value) : evaluation.toRecord(value)));
      } catch (error) {
        throw toFailure(error, next, [...evaluated, trail.build(null)]);
      }
    }
  } finally {
    evaluation.recordSteps();
  }
  return { output: evaluated.at(-1)?.decisionOutput ?? null, evaluatedDecisions: evaluated };
}

function evaluateLogic(decision: CompiledDecision, evaluation: FeelEvaluation, trail: DecisionTrail): unknown {
  const { logic, resultKind } = decision;
  const value =
    logic.kind === 'decisionTable' ? evaluateTable(logic, evaluation, trail) : logic.expression.evaluateIn(evaluation);
  const kind = evaluation.getKind(value);
  if (resultKind !== undefined && kind !== 'null' && kind !== resultKind) {
    throw new DecisionError('dmn_wrong_type', `its result is a ${kind}, but its variable requires a ${resultKind}`);
  }
  return value;
}

/**
 * Returns a DMN decision and all DMN decisions that it requires, each after those that it requires, otherwise in
 * document order.
 */
function orderDependencies(decision: CompiledDecision): Iterable<CompiledDecision> {
  const done = new Set<CompiledDecision>();
  const path = [{ decision, required: decision.requires.values() }];
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const next = step.required.next();
    if (next.done === true) {
      done.add(step.decision);
      path.pop();
    } else if (!done.has(next.value)) {
      path.push({ decision: next.value, required: next.value.requires.values() });
    }
  }
  return done;
}

/** Converts an error of the evaluation to a `DecisionFailure`. Returns unexpected errors unchanged. */
function toFailure(error: unknown, decision: CompiledDecision, evaluated: readonly EvaluatedDecision[]): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  if (!(error instanceof DecisionError) && !error.code.startsWith('feel_')) return error;
  const message = `The DMN decision "${decision.decisionId}" has no result: ${error.message}.`;
  return new DecisionFailure(error.code, message, decision.decisionId, evaluated, { cause: error });
}
