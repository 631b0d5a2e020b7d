import type { Json } from './json.js';
import type { EvaluationScope } from './workflow-graph.js';

/**
 * What the bytes of a DMN file come to: the decisions of one decision requirements graph.
 *
 * It is made once (`@countersign/bpmn`), never written to by anyone, and holds FEEL already compiled. Two compilations of the same
 * bytes give the same decisions.
 */
export interface DecisionGraph {
  /** The id of `definitions`; Zeebe: `decisionRequirementsId`. */
  readonly decisionRequirementsId: string;
  readonly name: string | null;
  /** By decision id, in document order. */
  readonly decisions: ReadonlyMap<string, Decision>;
}

export interface Decision {
  readonly decisionId: string;
  /** The id where the model gives no name. */
  readonly name: string;
  readonly decisionType: DecisionType;
  /** Ids of the decisions whose results it reads, without those that these need in turn. */
  readonly requiredDecisions: readonly string[];
  /**
   * Evaluates it, after the decisions that it requires, within one FEEL budget for all of them.
   *
   * @throws {DecisionFailure} (core/errors) with a code that begins with `dmn_`, or with `feel_` where an expression fails
   */
  evaluate(scope: EvaluationScope): DecisionResult;
}

export type DecisionType = 'decisionTable' | 'literalExpression';

export interface DecisionResult {
  readonly output: Json;
  /** In the order in which they were evaluated; the last is the decision that was asked for. */
  readonly evaluatedDecisions: readonly EvaluatedDecision[];
}

/** How a decision came about. Named as in Zeebe's records of evaluated decisions. */
export interface EvaluatedDecision {
  readonly decisionId: string;
  readonly decisionName: string;
  readonly decisionType: DecisionType;
  /** `null` also where it failed. */
  readonly decisionOutput: Json;
  /** Of a decision table: its input expressions, in their order. */
  readonly evaluatedInputs: readonly EvaluatedInput[];
  /** Of a decision table: the rules that count for the hit policy, in rule order. */
  readonly matchedRules: readonly MatchedRule[];
}

export interface EvaluatedInput {
  readonly inputId: string;
  /** The label, or else the beginning of the expression. */
  readonly inputName: string;
  readonly inputValue: Json;
  /** Whether the value is one of the `inputValues`; absent where there are none. Nothing follows from it, as on Zeebe. */
  readonly allowed?: boolean;
}

export interface MatchedRule {
  readonly ruleId: string;
  /** From 1. */
  readonly ruleIndex: number;
  readonly evaluatedOutputs: readonly EvaluatedOutput[];
}

export interface EvaluatedOutput {
  readonly outputId: string;
  /** The label, or else the name; `null` where the only output has neither. */
  readonly outputName: string | null;
  readonly outputValue: Json;
  /** Whether the value is one of the `outputValues`; absent where there are none. Nothing follows from it, as on Zeebe. */
  readonly allowed?: boolean;
}
