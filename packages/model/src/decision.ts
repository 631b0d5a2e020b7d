import type { Json } from './json.js';
import type { EvaluationScope } from './workflow-graph.js';

/**
 * A compiled DMN file: the DMN decisions of one decision requirements graph.
 *
 * `@countersign/bpmn` compiles it once. It is immutable and holds compiled FEEL. Two compilations of the same bytes
 * give the same decisions.
 */
export interface DecisionGraph {
  /** The id of `definitions`; Zeebe: `decisionRequirementsId`. */
  readonly decisionRequirementsId: string;
  readonly name: string | null;
  /** DMN decisions by id, in document order. */
  readonly decisions: ReadonlyMap<string, Decision>;
}

export interface Decision {
  readonly decisionId: string;
  /** The name, or the id if the DMN decision has no name. */
  readonly name: string;
  readonly decisionType: DecisionType;
  /** Ids of the decisions that it requires directly. */
  readonly requiredDecisions: readonly string[];
  /**
   * Evaluates the DMN decision after those that it requires, within one FEEL budget for all of them.
   *
   * @throws {DecisionFailure} with a code that starts with `dmn_`, or with `feel_` if an expression fails
   */
  evaluate(scope: EvaluationScope): DecisionResult;
}

export type DecisionType = 'decisionTable' | 'literalExpression';

export interface DecisionResult {
  readonly output: Json;
  /** Evaluated DMN decisions in order of evaluation; the last is the requested one. */
  readonly evaluatedDecisions: readonly EvaluatedDecision[];
}

/** The evaluation of a DMN decision. Named as in Zeebe's records of evaluated decisions. */
export interface EvaluatedDecision {
  readonly decisionId: string;
  readonly decisionName: string;
  readonly decisionType: DecisionType;
  /** `null` if the decision failed, too. */
  readonly decisionOutput: Json;
  /** Decision tables only: the input expressions, in order. */
  readonly evaluatedInputs: readonly EvaluatedInput[];
  /** Decision tables only: the rules that count for the hit policy, in rule order. */
  readonly matchedRules: readonly MatchedRule[];
}

export interface EvaluatedInput {
  readonly inputId: string;
  /** The label, otherwise the beginning of the expression. */
  readonly inputName: string;
  readonly inputValue: Json;
  /** Whether the value is one of the `inputValues`; undefined if there are none. For information only, as in Zeebe. */
  readonly allowed?: boolean;
}

export interface MatchedRule {
  readonly ruleId: string;
  /** Position of the rule, from 1. */
  readonly ruleIndex: number;
  readonly evaluatedOutputs: readonly EvaluatedOutput[];
}

export interface EvaluatedOutput {
  readonly outputId: string;
  /** The label, otherwise the name; `null` if the only output has neither. */
  readonly outputName: string | null;
  readonly outputValue: Json;
  /** Whether the value is one of the `outputValues`; undefined if there are none. For information only, as in Zeebe. */
  readonly allowed?: boolean;
}
