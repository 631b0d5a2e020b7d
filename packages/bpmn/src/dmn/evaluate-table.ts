import type { FeelEvaluation } from '@countersign/feel';
import type { DecisionTable, TableOutput, TableRule } from './decision-logic.js';
import type { DecisionTrail } from './decision-trail.js';
import { applyHitPolicy } from './hit-policy.js';
import { buildResult, type Hit } from './hits.js';

/**
 * Evaluates a decision table (DMN 1.3, 8.2.10) to a FEEL value. As in Zeebe 8.6, input expressions are evaluated once
 * and in order, all rules are tested even with FIRST, and the outputs of all matched rules are evaluated before the hit
 * policy is applied.
 */
export function evaluateTable(table: DecisionTable, evaluation: FeelEvaluation, trail: DecisionTrail): unknown {
  const values = table.inputs.map((input) => {
    const value = input.expression.evaluateIn(evaluation);
    trail.addInput(input, value);
    return value;
  });
  const matched = table.rules
    .map((rule, index) => ({ rule, index }))
    .filter(({ rule }) => matchesRule(rule, values, evaluation));
  if (matched.length === 0) return evaluateDefault(table.outputs, evaluation);
  const selected = table.hitPolicy === 'FIRST' ? matched.slice(0, 1) : matched;
  const hits = selected.map(({ rule, index }): Hit => {
    const outputs = rule.entries.map((entry) => entry.evaluateIn(evaluation));
    trail.addRule(rule, index, table.outputs, outputs);
    return { rule, outputs };
  });
  return applyHitPolicy(table, hits, evaluation);
}

/** Returns whether all input entries of a rule match. An entry whose result is null does not match. */
function matchesRule(rule: TableRule, values: readonly unknown[], evaluation: FeelEvaluation): boolean {
  return rule.tests.every((test, index) => test === null || test.testIn(evaluation, values[index]));
}

/**
 * Returns the result if no rule matches: the default output entries, regardless of the hit policy. As in Zeebe 8.6,
 * outputs without a default are omitted, a single default is the result itself, and without any default the result is
 * null, not an empty list or 0.
 */
function evaluateDefault(outputs: readonly TableOutput[], evaluation: FeelEvaluation): unknown {
  const outputsWithDefault = outputs.filter((output) => output.defaultEntry !== null);
  if (outputsWithDefault.length === 0) return null;
  return buildResult(
    outputsWithDefault,
    outputsWithDefault.map((output) => output.defaultEntry?.evaluateIn(evaluation)),
  );
}
