import type { FeelEvaluation, FeelUnaryTests } from '@countersign/feel';
import type { EvaluatedDecision, EvaluatedInput, EvaluatedOutput, Json, MatchedRule } from '@countersign/model';
import type { CompiledDecision, TableInput, TableOutput, TableRule } from './decision-logic.js';

/** Records the evaluation of a DMN decision, value by value, so that a failure includes all earlier values. */
export class DecisionTrail {
  readonly #inputs: EvaluatedInput[] = [];
  readonly #rules: MatchedRule[] = [];

  constructor(
    private readonly decision: CompiledDecision,
    private readonly evaluation: FeelEvaluation,
  ) {}

  addInput(input: TableInput, value: unknown): void {
    this.#inputs.push({
      inputId: input.id,
      inputName: input.name,
      inputValue: this.evaluation.toRecord(value),
      ...this.#checkAllowed(input.allowed, value),
    });
  }

  addRule(rule: TableRule, index: number, outputs: readonly TableOutput[], values: readonly unknown[]): void {
    const evaluatedOutputs = outputs.map((output, column): EvaluatedOutput => ({
      outputId: output.id,
      outputName: output.name,
      outputValue: this.evaluation.toRecord(values[column]),
      ...this.#checkAllowed(output.allowed, values[column]),
    }));
    this.#rules.push({ ruleId: rule.id, ruleIndex: index + 1, evaluatedOutputs });
  }

  build(decisionOutput: Json): EvaluatedDecision {
    const { decisionId, name: decisionName, decisionType } = this.decision;
    return {
      decisionId,
      decisionName,
      decisionType,
      decisionOutput,
      evaluatedInputs: this.#inputs,
      matchedRules: this.#rules,
    };
  }

  #checkAllowed(tests: FeelUnaryTests | null, value: unknown): { readonly allowed?: boolean } {
    return tests === null ? {} : { allowed: tests.testIn(this.evaluation, value) };
  }
}
