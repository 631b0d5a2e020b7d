import type { Json } from './json.js';
import type { EvaluationScope } from './workflow-graph.js';

/**
 * A compiled DMN file: the DMN decisions of one decision requirements graph.
 *
 * `@countersign/bpmn` compiles it once. It is immutable and contains compiled FEEL. Two compilations of the same bytes
 * produce the same DMN decisions.
 */
export interface DmnDecisionGraph {
  /** The id of `definitions`; Zeebe: `decisionRequirementsId`. */
  readonly decisionRequirementsId: string;
  readonly name: string | null;
  /** DMN decisions by id, in document order. */
  readonly decisions: ReadonlyMap<string, DmnDecision>;
}

export interface DmnDecision {
  readonly decisionId: string;
  /** The name, or the id if the DMN decision has no name. */
  readonly name: string;
  readonly decisionType: DmnDecisionType;
  /** Ids of the DMN decisions that it requires directly. */
  readonly requiredDecisions: readonly string[];
  /**
   * Evaluates the DMN decision after those that it requires, within one FEEL budget for all of them.
   *
   * @throws {DecisionFailure} with a code that starts with `dmn_`, or with `feel_` if an expression fails
   */
  evaluate(scope: EvaluationScope): DmnDecisionResult;
}

export type DmnDecisionType = 'decisionTable' | 'literalExpression';

export interface DmnDecisionResult {
  readonly output: Json;
  /** Evaluated DMN decisions in order of evaluation; the last is the requested one. */
  readonly evaluatedDecisions: readonly EvaluatedDecision[];
}

/** The evaluation of a DMN decision. Named as in Zeebe's records of evaluated decisions. */
export interface EvaluatedDecision {
  readonly decisionId: string;
  readonly decisionName: string;
  readonly decisionType: DmnDecisionType;
  /** Also `null` if the DMN decision failed. */
  readonly decisionOutput: Json;
  /** Decision tables only: the input expressions, in order. */
  readonly evaluatedInputs: readonly EvaluatedInput[];
  /** Decision tables only: the rules that matched, in rule order. With the hit policy FIRST, only the first. */
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
