import type { ToolFacts } from './agent.js';
import type { Json, JsonObject } from './json.js';

export const RISK_LEVELS = Object.freeze(['low', 'medium', 'high', 'critical'] as const);
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Returns the higher of two risk levels. */
export function maxRisk(a: RiskLevel, b: RiskLevel): RiskLevel {
  return RISK_LEVELS.indexOf(a) >= RISK_LEVELS.indexOf(b) ? a : b;
}

/** The possible policy decisions. The engine enforces all of them; see `getPolicyRefusal()` of the interpreter. */
export const POLICY_OUTCOMES = Object.freeze(['allow', 'deny', 'require_approval'] as const);
export type PolicyOutcome = (typeof POLICY_OUTCOMES)[number];

export interface RiskFactor {
  readonly code: string;
  readonly description: string;
  /** Contribution to the risk, 0 or more. The policy maps the sum of the weights to a risk level. */
  readonly weight: number;
}

export interface ToolConstraints {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly requireApproval: readonly string[];
  readonly limits: JsonObject;
}

/** The policy's decision about a step or call, with its reasons. */
export interface PolicyDecision {
  readonly decision: PolicyOutcome;
  readonly rationale: string;
  readonly riskLevel: RiskLevel;
  readonly riskFactors: readonly RiskFactor[];
  readonly toolConstraints: ToolConstraints;
  readonly policyId: string;
  /** `sha256:<hex>` of the policy that decided. */
  readonly policyDigest: string;
  /** Names of the rules that made the decision, if the policy has named rules. */
  readonly decidedBy?: readonly string[];
  /**
   * Whether a rule explicitly allows this write although its arguments are tainted; otherwise a person must approve it.
   */
  readonly acceptsTaint?: true;
  /** The approvers, if the policy specifies them. */
  readonly approval?: {
    readonly candidateUsers: readonly string[];
    readonly candidateGroups: readonly string[];
    readonly quorum: number;
  };
}

/** A tool call that an agent proposes. */
export interface PolicyCall extends ToolFacts {
  /** Normalized: checked against the tool's schema, defaults filled in. */
  readonly arguments: JsonObject;
  /** Whether a person changed the arguments. */
  readonly edited: boolean;
}

/** A request for a policy decision about a step before it starts (`call: null`), or about a tool call. */
export interface PolicyRequest {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowVersion: number;
  readonly workflowDigest: string;
  readonly elementId: string;
  readonly elementName: string | null;
  /** The BPMN type, for example `serviceTask`. */
  readonly stepType: string;
  /** The job type of a task that a worker executes. */
  readonly jobType: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** `zeebe:properties` of the element; FEEL values (`=…`) are already evaluated. */
  readonly properties: Readonly<Record<string, Json>>;
  /** The variables that the input mappings of the step created. */
  readonly inputs: JsonObject;
  /** Name of the agent that works on the step, from the task header `agent`. */
  readonly agentName: string | null;
  readonly call: PolicyCall | null;
  /**
   * The external effect of the step, as declared by its connector; `null`: unknown. For calls: the effect of the tool.
   */
  readonly effect: 'read' | 'write' | null;
  /**
   * The hosts that the step contacts, as far as its connector or the provider of its agent's model declares them;
   * empty: none, or unknown. For calls: the hosts that the call contacts. Each in the form of `URL.host`.
   */
  readonly hosts: readonly string[];
  /** The ports used on these hosts, defaults included: both 80 and 443 if a host is known without its scheme. */
  readonly ports: readonly number[];
  /** Sources of untrusted data, such as `webhook`, `upload`, `tool:http.request`. Sorted. */
  readonly taint: readonly string[];
  readonly startedBy: string;
  /** The run's risk so far. */
  readonly runRisk: RiskLevel;
}

/**
 * A policy bound to one digest: synchronous and without side effects, so that `advance()` can call it. If it throws,
 * the decision is `deny`.
 */
export type PolicyFunction = (request: PolicyRequest) => PolicyDecision;
