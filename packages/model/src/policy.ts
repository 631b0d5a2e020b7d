import type { ToolFacts } from './agent.js';
import type { Json, JsonObject } from './json.js';

export const RISK_LEVELS = Object.freeze(['low', 'medium', 'high', 'critical'] as const);
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The higher of two risk levels. */
export function maxRisk(a: RiskLevel, b: RiskLevel): RiskLevel {
  return RISK_LEVELS.indexOf(a) >= RISK_LEVELS.indexOf(b) ? a : b;
}

/** What the policy can say. The engine carries out each of them, see `policyRefusal()` of the interpreter. */
export const POLICY_OUTCOMES = Object.freeze(['allow', 'deny', 'require_approval'] as const);
export type PolicyOutcome = (typeof POLICY_OUTCOMES)[number];

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
  readonly decision: PolicyOutcome;
  readonly rationale: string;
  readonly riskLevel: RiskLevel;
  readonly riskFactors: readonly RiskFactor[];
  readonly toolConstraints: ToolConstraints;
  readonly policyId: string;
  /** `sha256:<hex>` of the policy that decided. */
  readonly policyDigest: string;
  /** Names of the rules that made the decision, where the policy has such. */
  readonly decidedBy?: readonly string[];
  /** A rule allows this write by name although its arguments are tainted; without it a person is asked. */
  readonly acceptsTaint?: true;
  /** Who is to be asked, where the policy says. */
  readonly approval?: {
    readonly candidateUsers: readonly string[];
    readonly candidateGroups: readonly string[];
    readonly quorum: number;
  };
}

/** A call of a tool that an agent proposes. */
export interface PolicyCall extends ToolFacts {
  /** Normalised: checked against the tool's schema, defaults filled in. */
  readonly arguments: JsonObject;
  /** Whether a person changed the arguments. */
  readonly edited: boolean;
}

/** What the policy is asked: of a step in front of its work (`call: null`), or of one call of a tool. */
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
  /** What the input mappings of the step made. */
  readonly inputs: JsonObject;
  /** The agent that performs the step, as the task header `agent` names it. */
  readonly agentName: string | null;
  readonly call: PolicyCall | null;
  /** What the step does elsewhere, as its connector says; `null`: nobody knows. Of calls: that of the tool. */
  readonly effect: 'read' | 'write' | null;
  /**
   * Where the step goes to, as far as its connector tells, or the provider of its agent's model; none: nowhere, or nobody
   * knows. Of calls: where these go. Each as `URL.host` gives it.
   */
  readonly hosts: readonly string[];
  /** The ports of these, defaults included: both 80 and 443 where a host is known without its scheme. */
  readonly ports: readonly number[];
  /** Where the data came from that no person vouches for: sources such as `webhook`, `upload`, `tool:http.request`. Sorted. */
  readonly taint: readonly string[];
  readonly startedBy: string;
  /** The run's risk so far. */
  readonly runRisk: RiskLevel;
}

/**
 * A policy bound to one digest: synchronous and without side effects, so that `advance()` can call it.
 * Throwing is a deny.
 */
export type PolicyFunction = (request: PolicyRequest) => PolicyDecision;
