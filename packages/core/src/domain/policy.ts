import type { Json, JsonObject } from './json.js';

export const RISK_LEVELS = Object.freeze(['low', 'medium', 'high', 'critical'] as const);
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The higher of two risk levels. */
export function maxRisk(a: RiskLevel, b: RiskLevel): RiskLevel {
  return RISK_LEVELS.indexOf(a) >= RISK_LEVELS.indexOf(b) ? a : b;
}

export interface RiskFactor {
  readonly code: string;
  readonly description: string;
  /** Contribution to the risk, 0 and up; the policy says what sum is what level. */
  readonly weight: number;
}

export interface ToolConstraints {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly requireApproval: readonly string[];
  readonly limits: JsonObject;
}

/** What the policy says of one step, and why. */
export interface PolicyDecision {
  readonly decision: 'allow' | 'deny' | 'require_approval';
  readonly rationale: string;
  readonly riskLevel: RiskLevel;
  readonly riskFactors: readonly RiskFactor[];
  readonly toolConstraints: ToolConstraints;
  readonly policyId: string;
  /** `sha256:<hex>` of the policy that decided. */
  readonly policyDigest: string;
}

/** What the policy is asked. */
export interface PolicyRequest {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowVersion: number;
  readonly workflowDigest: string;
  readonly elementId: string;
  readonly elementName: string | null;
  /** The BPMN type, for example `serviceTask`. */
  readonly stepType: string;
  /** The job type of a task that a worker serves. */
  readonly jobType: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** `zeebe:properties` of the element, values that are FEEL (`=…`) already evaluated. */
  readonly properties: Readonly<Record<string, Json>>;
  readonly startedBy: string;
  /** The run's risk so far. */
  readonly runRisk: RiskLevel;
}

/**
 * A policy bound to one digest: synchronous and without side effects, so that `advance()` can call it.
 * Throwing is a deny.
 */
export type PolicyFunction = (request: PolicyRequest) => PolicyDecision;
