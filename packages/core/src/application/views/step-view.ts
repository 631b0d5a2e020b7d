import type { Json, JsonObject, PolicyOutcome, RiskFactor, RiskLevel } from '@countersign/model';

export type StepStatus = 'active' | 'waiting' | 'completed' | 'failed' | 'cancelled';

export type PolicyDecisionView = {
  decision: PolicyOutcome;
  rationale: string;
  riskLevel: RiskLevel;
  riskFactors: RiskFactor[];
  toolConstraints: { allowed: string[]; denied: string[]; requireApproval: string[]; limits: JsonObject };
  policyId: string;
  policyDigest: string;
  decidedAt: string;
};

/** Entry of the step history. */
export type StepView = {
  stepId: string;
  elementId: string;
  name: string | null;
  type: string;
  status: StepStatus;
  attempt: number;
  iteration: number;
  enteredSeq: number;
  startedAt: string;
  completedAt: string | null;
  agentName: string | null;
  calledRunId: string | null;
  output: Json;
  error: { code: string; message: string; retryable: boolean } | null;
  policyDecision: PolicyDecisionView | null;
};
