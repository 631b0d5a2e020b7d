import type { FeelExpression, FeelKind, FeelUnaryTests } from '@countersign/feel';
import type { DmnDecisionType } from '@countersign/model';

/** A DMN decision compiled for evaluation. */
export interface CompiledDecision {
  readonly decisionId: string;
  readonly name: string;
  readonly decisionType: DmnDecisionType;
  /** The name under which dependent DMN decisions read its result. */
  readonly resultName: string;
  /** The required kind of the result; `undefined`: any kind. A result may always be `null`. */
  readonly resultKind: FeelKind | undefined;
  readonly requires: readonly CompiledDecision[];
  readonly logic: DecisionLogic;
}

export type DecisionLogic = FeelLogic | DecisionTable;

export interface FeelLogic {
  readonly kind: 'literalExpression';
  readonly expression: FeelExpression;
}

export interface DecisionTable {
  readonly kind: 'decisionTable';
  readonly hitPolicy: HitPolicy;
  /** How results are aggregated; only with hit policy COLLECT. */
  readonly aggregation: Aggregation | undefined;
  readonly inputs: readonly TableInput[];
  readonly outputs: readonly TableOutput[];
  readonly rules: readonly TableRule[];
}

/** The hit policies of DMN 1.3, 8.2.10. */
export const HIT_POLICIES = Object.freeze([
  'UNIQUE',
  'FIRST',
  'PRIORITY',
  'ANY',
  'COLLECT',
  'RULE ORDER',
  'OUTPUT ORDER',
] as const);
export type HitPolicy = (typeof HIT_POLICIES)[number];

export const AGGREGATIONS = Object.freeze(['SUM', 'COUNT', 'MIN', 'MAX'] as const);
export type Aggregation = (typeof AGGREGATIONS)[number];

export interface TableInput {
  readonly id: string;
  readonly name: string;
  readonly expression: FeelExpression;
  /** Tests for allowed values (`inputValues`); `null` if every value is allowed. */
  readonly allowed: FeelUnaryTests | null;
}

export interface TableOutput {
  readonly id: string;
  /** The key in a result with several outputs. */
  readonly key: string;
  /** The display name. */
  readonly name: string | null;
  /** Tests for allowed values (`outputValues`); `null` if every value is allowed. */
  readonly allowed: FeelUnaryTests | null;
  /** With PRIORITY and OUTPUT ORDER: the rank of each output value, 0 first. */
  readonly ranks: ReadonlyMap<string, number> | null;
  readonly defaultEntry: FeelExpression | null;
}

export interface TableRule {
  readonly id: string;
  /** One test for each input; `null` accepts every value. */
  readonly tests: readonly (FeelUnaryTests | null)[];
  /** One entry for each output. */
  readonly entries: readonly FeelExpression[];
}
