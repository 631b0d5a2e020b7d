import {
  maxRisk,
  type PolicyDecision,
  type PolicyRequest,
  type RiskFactor,
  type RiskLevel,
  type ToolConstraints,
} from '@countersign/model';
import type { CompiledPolicy } from './compile-policies.js';
import { NOTHING_DECLARED, type Declared } from './declared-factors.js';
import { deepFreeze } from './deep-freeze.js';
import type { PolicyEvaluation, PolicyMatch } from './policy-evaluator.js';
import { describeRisk, subjectOf } from './rationale.js';

/** Sum of weights from which each level applies. */
const THRESHOLDS: readonly (readonly [RiskLevel, number])[] = Object.freeze([
  ['low', 0],
  ['medium', 25],
  ['high', 50],
  ['critical', 80],
]);
/** Denied steps are high risk, whatever their weight. */
const DENIED_WEIGHT = 50;
const NO_TOOLS: ToolConstraints = Object.freeze({ allowed: [], denied: [], requireApproval: [], limits: {} });

/** Builds policy decisions from Cedar's results. */
export class PolicyDecisionBuilder {
  constructor(
    readonly policyId: string,
    readonly policyDigest: string,
  ) {}

  /** Returns the risk of the run that applies to a step or a call: approvers must not see less risk than there is. */
  static carriedBy({ stepType, call, runRisk }: PolicyRequest): RiskLevel {
    return stepType === 'userTask' || call !== null ? runRisk : 'low';
  }

  ofStep(
    request: PolicyRequest,
    { verdict, factors }: PolicyEvaluation,
    toolConstraints: ToolConstraints,
    declared: Declared = NOTHING_DECLARED,
  ): PolicyDecision {
    const riskFactors = [...factors, ...declared.factors];
    if (!verdict.allowed) return this.#denied(verdict, riskFactors, `No policy permits ${describeStep(request)}.`);
    const sum = sumOf(riskFactors);
    const bySum = levelOf(sum);
    const riskLevel = maxRisk(maxRisk(bySum, declared.level ?? 'low'), PolicyDecisionBuilder.carriedBy(request));
    const rationale = describeRisk({
      subject: subjectOf(verdict.by, request.jobType),
      riskLevel,
      sum,
      declaredFactors: declared.factors.length,
      raisedBy: riskLevel === bySum ? null : riskLevel === declared.level ? 'model' : 'run',
    });
    return this.#make({
      decision: 'allow',
      rationale: withAdvice(rationale, verdict.by),
      riskLevel,
      riskFactors,
      toolConstraints,
      decidedBy: idsOf(verdict.by),
    });
  }

  ofCall({ call, runRisk }: PolicyRequest, { verdict, unattended, factors }: PolicyEvaluation): PolicyDecision {
    if (!verdict.allowed || unattended === null)
      return this.#denied(verdict, factors, `No policy permits a call to the tool "${call?.tool ?? ''}".`);
    const needsPerson = !unattended.allowed;
    const by = [...new Set([...verdict.by, ...unattended.by])];
    const level = levelOf(sumOf(factors));
    const riskLevel = needsPerson ? maxRisk(level, runRisk) : level;
    const asked = unattended.by.length > 0 ? rationaleOf(unattended.by) : 'No policy permits it without approval.';
    const rationale = [
      rationaleOf(verdict.by),
      ...(needsPerson ? [asked] : []),
      `Its risk is ${level}${riskLevel === level ? '' : `, and the risk of the run is ${riskLevel}`}.`,
    ].join(' ');
    return this.#make({
      decision: needsPerson ? 'require_approval' : 'allow',
      rationale: withAdvice(rationale, by),
      riskLevel,
      riskFactors: factors,
      toolConstraints: NO_TOOLS,
      decidedBy: idsOf(by),
      ...(unattended.allowed && unattended.by.some(({ acceptsTaint }) => acceptsTaint)
        ? { acceptsTaint: true as const }
        : {}),
      ...approvalOf(by),
    });
  }

  /** Returns a deny because declared risk or data that policies read is unreadable: it must not count as none. */
  unassessable(code: string, reason: string): PolicyDecision {
    return this.#make({
      decision: 'deny',
      rationale: `This step is denied, because its risk cannot be assessed: ${reason}.`,
      riskLevel: levelOf(DENIED_WEIGHT),
      riskFactors: [{ code, description: `The risk cannot be assessed: ${reason}.`, weight: DENIED_WEIGHT }],
      toolConstraints: NO_TOOLS,
      decidedBy: [],
    });
  }

  #denied({ by }: PolicyMatch, factors: readonly RiskFactor[], nothingPermits: string): PolicyDecision {
    const rationale = by.length === 0 ? nothingPermits : rationaleOf(by);
    const denial = {
      code: by.length === 0 ? 'not_permitted' : 'forbidden',
      description: rationale,
      weight: DENIED_WEIGHT,
    };
    const riskFactors = [...factors, denial];
    return this.#make({
      decision: 'deny',
      rationale: withAdvice(rationale, by),
      riskLevel: levelOf(sumOf(riskFactors)),
      riskFactors,
      toolConstraints: NO_TOOLS,
      decidedBy: idsOf(by),
    });
  }

  /** Equal requests share one result, so it must be immutable. */
  #make(decision: Omit<PolicyDecision, 'policyId' | 'policyDigest'>): PolicyDecision {
    return deepFreeze<PolicyDecision>({ ...decision, policyId: this.policyId, policyDigest: this.policyDigest });
  }
}

/** Returns the approval rule: every candidate that any of the policies names, and the highest quorum. */
function approvalOf(by: readonly CompiledPolicy[]): Pick<PolicyDecision, 'approval'> {
  const candidateUsers = [...new Set(by.flatMap(({ approverUsers }) => approverUsers))];
  const candidateGroups = [...new Set(by.flatMap(({ approverGroups }) => approverGroups))];
  const quorum = Math.max(1, ...by.map((policy) => policy.quorum ?? 1));
  if (candidateUsers.length === 0 && candidateGroups.length === 0 && quorum === 1) return {};
  return { approval: { candidateUsers, candidateGroups, quorum } };
}

function describeStep({ stepType, jobType }: PolicyRequest): string {
  return `a step of the type "${stepType}"${jobType === null ? '' : ` with the job type "${jobType}"`}`;
}

function rationaleOf(by: readonly CompiledPolicy[]): string {
  return by.map(({ id, rationale }) => sentence(rationale ?? `The policy "${id}" applies`)).join(' ');
}

function withAdvice(rationale: string, by: readonly CompiledPolicy[]): string {
  return [rationale, ...by.flatMap(({ advice }) => (advice === null ? [] : [sentence(advice)]))].join(' ');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function idsOf(by: readonly CompiledPolicy[]): readonly string[] {
  return by.map(({ id }) => id);
}

function sumOf(factors: readonly RiskFactor[]): number {
  return factors.reduce((total, factor) => total + factor.weight, 0);
}

function levelOf(sum: number): RiskLevel {
  return THRESHOLDS.reduce<RiskLevel>((level, [each, from]) => (sum >= from ? each : level), 'low');
}
