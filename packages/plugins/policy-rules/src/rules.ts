import type { RiskLevel } from '@countersign/core/plugin';

/**
 * A rule set: plain data, so that its RFC 8785 form can be digested. It is all that a decision depends on beside the
 * request, and the digest stands in every decision.
 */
export interface RuleSet {
  readonly policyId: string;
  /** A level holds from this sum of weights on; ascending, beginning with 0. */
  readonly thresholds: readonly { readonly level: RiskLevel; readonly from: number }[];
  /** The steps that are known. Any other is denied. */
  readonly steps: readonly StepRule[];
  /** Job types that weigh more than the step type tells. */
  readonly jobTypes: readonly JobTypeRule[];
  /** The level of a step that can't be assessed, and is denied for that. */
  readonly unassessable: RiskLevel;
  /** Step types whose level is at least that of the run so far: who decides must not be shown less than there is. */
  readonly carriesRunRisk: readonly string[];
  readonly limits: {
    readonly factors: number;
    readonly codeLength: number;
    readonly descriptionLength: number;
    readonly weight: number;
    readonly tools: number;
  };
}

export interface StepRule {
  /** The BPMN type, for example `serviceTask`. */
  readonly stepType: string;
  /** Who does the step: the beginning of the rationale. */
  readonly says: string;
  /** Weight where the engine does the step itself; `null`: it never does. */
  readonly engine: number | null;
  /** Weight where a worker does it as a job; `null`: such a step never is a job. */
  readonly job: number | null;
}

export interface JobTypeRule {
  readonly jobType: string;
  readonly says: string;
  readonly weight: number;
  readonly code: string;
  readonly description: string;
}

/**
 * The rules that ship.
 *
 * - Steps that only compute weigh nothing.
 * - A step that a worker does weighs more, as it can have effects outside the run: rules and scripts that a worker
 *   evaluates 10, connectors 15, messages sent 20, agents 30 (which is medium on its own).
 * - A model adds what it knows: `risk.factors` and `risk.level` in `zeebe:properties`.
 */
export const RULES: RuleSet = deepFreeze({
  policyId: 'policy-rules',
  thresholds: [
    { level: 'low', from: 0 },
    { level: 'medium', from: 25 },
    { level: 'high', from: 50 },
    { level: 'critical', from: 80 },
  ],
  steps: [
    { stepType: 'task', says: 'There is nothing to execute in this step', engine: 0, job: null },
    { stepType: 'manualTask', says: 'A person does this step outside the system, and nothing is executed here', engine: 0, job: null },
    { stepType: 'scriptTask', says: 'This step only computes and has no effect outside the run', engine: 0, job: 10 },
    { stepType: 'businessRuleTask', says: 'This step only computes and has no effect outside the run', engine: 0, job: 10 },
    { stepType: 'userTask', says: 'A person decides in this step', engine: 0, job: null },
    { stepType: 'receiveTask', says: 'This step only waits for a message', engine: 0, job: null },
    { stepType: 'serviceTask', says: 'A connector does this step', engine: 15, job: 15 },
    { stepType: 'sendTask', says: 'This step sends a message to another system', engine: 20, job: 20 },
  ],
  jobTypes: [
    {
      jobType: 'agent',
      says: 'An agent does this step',
      weight: 30,
      code: 'agent',
      description: 'An agent chooses by itself what it does in this step.',
    },
  ],
  unassessable: 'high',
  carriesRunRisk: ['userTask'],
  limits: { factors: 100, codeLength: 64, descriptionLength: 500, weight: 1000, tools: 200 },
});

/** Freezes a value of plain data all through. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
