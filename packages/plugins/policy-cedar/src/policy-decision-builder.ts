import {
  maxRisk,
  type PolicyDecision,
  type PolicyRequest,
  type RiskFactor,
  type RiskLevel,
  type ToolConstraints,
} from '@countersign/model';
import type { CompiledPolicy } from './compile-policies.js';
import { NO_DECLARED_RISK, type DeclaredRisk } from './declared-risk.js';
import { deepFreeze } from './deep-freeze.js';
import type { PolicyEvaluation, PolicyMatch } from './policy-evaluator.js';
import { appendAdvice, describePermits, describeRisk, describeStep, joinRationales } from './rationale.js';

/** Sum of weights from which each level applies. */
const THRESHOLDS: readonly (readonly [RiskLevel, number])[] = Object.freeze([
  ['low', 0],
  ['medium', 25],
  ['high', 50],
  ['critical', 80],
]);
/** Weight that is added to the risk of a denied step or call, so that its risk level is at least `high`. */
const DENIED_WEIGHT = 50;
const NO_TOOLS: ToolConstraints = Object.freeze({ allowed: [], denied: [], requireApproval: [], limits: {} });

/** Builds policy decisions from Cedar's results. */
export class PolicyDecisionBuilder {
  constructor(
    readonly policyId: string,
    readonly policyDigest: string,
  ) {}

  /**
   * Returns the risk of the run that applies to a step or a call: approvers must not see a lower risk than that of the
   * run.
   */
  static getInheritedRisk({ stepType, call, runRisk }: PolicyRequest): RiskLevel {
    return stepType === 'userTask' || call !== null ? runRisk : 'low';
  }

  buildStepDecision(
    request: PolicyRequest,
    { match, factors }: PolicyEvaluation,
    toolConstraints: ToolConstraints,
    declared: DeclaredRisk = NO_DECLARED_RISK,
  ): PolicyDecision {
    const riskFactors = [...factors, ...declared.factors];
    if (!match.allowed) return this.#buildDenial(match, riskFactors, `No policy permits ${describeStep(request)}.`);
    const sum = sumWeights(riskFactors);
    const levelFromSum = toRiskLevel(sum);
    const riskLevel = maxRisk(
      maxRisk(levelFromSum, declared.level ?? 'low'),
      PolicyDecisionBuilder.getInheritedRisk(request),
    );
    const rationale = describeRisk({
      reasons: describePermits(match.policies, request.jobType),
      riskLevel,
      sum,
      declaredFactorCount: declared.factors.length,
      raisedBy: riskLevel === levelFromSum ? null : riskLevel === declared.level ? 'model' : 'run',
    });
    return this.#finish({
      decision: 'allow',
      rationale: appendAdvice(rationale, match.policies),
      riskLevel,
      riskFactors,
      toolConstraints,
      decidedBy: toIds(match.policies),
    });
  }

  buildCallDecision(
    { call, runRisk }: PolicyRequest,
    { match, unattendedMatch, factors }: PolicyEvaluation,
  ): PolicyDecision {
    if (!match.allowed || unattendedMatch === null)
      return this.#buildDenial(match, factors, `No policy permits a call to the tool "${call?.tool ?? ''}".`);
    const requiresApproval = !unattendedMatch.allowed;
    const policies = [...new Set([...match.policies, ...unattendedMatch.policies])];
    const level = toRiskLevel(sumWeights(factors));
    const riskLevel = requiresApproval ? maxRisk(level, runRisk) : level;
    const approvalReason =
      unattendedMatch.policies.length > 0
        ? joinRationales(unattendedMatch.policies)
        : 'No policy permits it without approval.';
    const rationale = [
      joinRationales(match.policies),
      ...(requiresApproval ? [approvalReason] : []),
      `Its risk is ${level}${riskLevel === level ? '' : `, and the risk of the run is ${riskLevel}`}.`,
    ].join(' ');
    return this.#finish({
      decision: requiresApproval ? 'require_approval' : 'allow',
      rationale: appendAdvice(rationale, policies),
      riskLevel,
      riskFactors: factors,
      toolConstraints: NO_TOOLS,
      decidedBy: toIds(policies),
      ...(unattendedMatch.allowed && unattendedMatch.policies.some(({ acceptsTaint }) => acceptsTaint)
        ? { acceptsTaint: true as const }
        : {}),
      ...buildApproval(policies),
    });
  }

  /**
   * Returns a deny because the declared risk, or data that policies read, is unreadable, which must not count as no
   * risk.
   */
  buildUnassessableDecision(code: string, reason: string): PolicyDecision {
    return this.#finish({
      decision: 'deny',
      rationale: `This step is denied, because its risk cannot be assessed: ${reason}.`,
      riskLevel: toRiskLevel(DENIED_WEIGHT),
      riskFactors: [{ code, description: `The risk cannot be assessed: ${reason}.`, weight: DENIED_WEIGHT }],
      toolConstraints: NO_TOOLS,
      decidedBy: [],
    });
  }

  #buildDenial({ policies }: PolicyMatch, factors: readonly RiskFactor[], defaultRationale: string): PolicyDecision {
    const rationale = policies.length === 0 ? defaultRationale : joinRationales(policies);
    const denial = {
      code: policies.length === 0 ? 'not_permitted' : 'forbidden',
      description: rationale,
      weight: DENIED_WEIGHT,
    };
    const riskFactors = [...factors, denial];
    return this.#finish({
      decision: 'deny',
      rationale: appendAdvice(rationale, policies),
      riskLevel: toRiskLevel(sumWeights(riskFactors)),
      riskFactors,
      toolConstraints: NO_TOOLS,
      decidedBy: toIds(policies),
    });
  }

  /** Adds the policy id and digest, and freezes the decision, because equal requests share it. */
  #finish(decision: Omit<PolicyDecision, 'policyId' | 'policyDigest'>): PolicyDecision {
    return deepFreeze<PolicyDecision>({ ...decision, policyId: this.policyId, policyDigest: this.policyDigest });
  }
}

/** Returns the approval rule: every candidate that any of the policies names, and the highest quorum. */
function buildApproval(policies: readonly CompiledPolicy[]): Pick<PolicyDecision, 'approval'> {
  const candidateUsers = [...new Set(policies.flatMap(({ approverUsers }) => approverUsers))];
  const candidateGroups = [...new Set(policies.flatMap(({ approverGroups }) => approverGroups))];
  const quorum = Math.max(1, ...policies.map((policy) => policy.quorum ?? 1));
  if (candidateUsers.length === 0 && candidateGroups.length === 0 && quorum === 1) return {};
  return { approval: { candidateUsers, candidateGroups, quorum } };
}

function toIds(policies: readonly CompiledPolicy[]): readonly string[] {
  return policies.map(({ id }) => id);
}

function sumWeights(factors: readonly RiskFactor[]): number {
  return factors.reduce((total, factor) => total + factor.weight, 0);
}

function toRiskLevel(sum: number): RiskLevel {
  return THRESHOLDS.reduce<RiskLevel>((level, [each, from]) => (sum >= from ? each : level), 'low');
}
