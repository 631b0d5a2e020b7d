import { canonicalJson, type PolicyDecision, type PolicyRequest } from '@countersign/model';

/**
 * Effective result of a policy decision. An allowed write with tainted data still requires approval, unless the policy
 * accepts taint.
 */
export type EffectiveOutcome = PolicyDecision['decision'];

const STRICTNESS: Readonly<Record<EffectiveOutcome, number>> = { allow: 0, require_approval: 1, deny: 2 };

export function getEffectiveOutcome(
  { decision, acceptsTaint }: PolicyDecision,
  { call, taint }: PolicyRequest,
): EffectiveOutcome {
  const requiresApproval =
    decision === 'allow' && call?.effect === 'write' && taint.length > 0 && acceptsTaint !== true;
  return requiresApproval ? 'require_approval' : decision;
}

/** Returns whether two policy decisions differ in effect. Ignores the rationale and the policy names. */
export function isChanged(before: PolicyDecision, after: PolicyDecision): boolean {
  return canonicalJson(toComparableDecision(before)) !== canonicalJson(toComparableDecision(after));
}

function toComparableDecision({
  decision,
  riskLevel,
  toolConstraints,
  acceptsTaint,
  approval,
}: PolicyDecision): object {
  const { allowed, denied, requireApproval, limits } = toolConstraints;
  return {
    decision,
    riskLevel,
    toolConstraints: {
      allowed: [...allowed].sort(),
      denied: [...denied].sort(),
      requireApproval: [...requireApproval].sort(),
      limits,
    },
    acceptsTaint: acceptsTaint === true,
    approval:
      approval === undefined
        ? null
        : {
            users: [...approval.candidateUsers].sort(),
            groups: [...approval.candidateGroups].sort(),
            quorum: approval.quorum,
          },
  };
}

/**
 * Returns whether the later policy decision is weaker: it denies less or requires fewer approvals, lowers the quorum,
 * admits other candidates, or lets the step's agent use tools that were withheld.
 */
export function isWeaker(before: PolicyDecision, after: PolicyDecision, request: PolicyRequest): boolean {
  const [strictnessBefore, strictnessAfter] = [
    STRICTNESS[getEffectiveOutcome(before, request)],
    STRICTNESS[getEffectiveOutcome(after, request)],
  ];
  if (strictnessBefore !== strictnessAfter) return strictnessAfter < strictnessBefore;
  if (getEffectiveOutcome(after, request) === 'require_approval' && isApprovalWeaker(before.approval, after.approval))
    return true;
  return [...before.toolConstraints.denied, ...before.toolConstraints.requireApproval].some((tool) =>
    isToolLessRestricted(before, after, tool),
  );
}

type ApprovalRequirements = PolicyDecision['approval'];

function isApprovalWeaker(before: ApprovalRequirements, after: ApprovalRequirements): boolean {
  if ((after?.quorum ?? 1) < (before?.quorum ?? 1)) return true;
  const [candidatesBefore, candidatesAfter] = [toCandidateKeys(before), toCandidateKeys(after)];
  // Without named candidates, every user who may approve is a candidate.
  return (
    candidatesBefore.length > 0 &&
    (candidatesAfter.length === 0 || candidatesAfter.some((each) => !candidatesBefore.includes(each)))
  );
}

function toCandidateKeys(requirements: ApprovalRequirements): readonly string[] {
  return [
    ...(requirements?.candidateUsers ?? []).map((user) => `user ${user}`),
    ...(requirements?.candidateGroups ?? []).map((group) => `group ${group}`),
  ];
}

function isToolLessRestricted(
  { toolConstraints: before }: PolicyDecision,
  { toolConstraints: after }: PolicyDecision,
  tool: string,
): boolean {
  if (after.denied.includes(tool)) return false;
  return before.denied.includes(tool) || !after.requireApproval.includes(tool);
}
