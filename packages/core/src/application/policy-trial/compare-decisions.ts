import { canonicalJson, type PolicyDecision, type PolicyRequest } from '@countersign/model';

/**
 * Effective result of a policy decision. An allowed write with tainted data still requires approval, unless the policy
 * accepts taint.
 */
export type Outcome = PolicyDecision['decision'];

const STRICTNESS: Readonly<Record<Outcome, number>> = { allow: 0, require_approval: 1, deny: 2 };

export function outcomeOf({ decision, acceptsTaint }: PolicyDecision, { call, taint }: PolicyRequest): Outcome {
  const needsPerson = decision === 'allow' && call?.effect === 'write' && taint.length > 0 && acceptsTaint !== true;
  return needsPerson ? 'require_approval' : decision;
}

/** Returns whether two policy decisions differ in effect. Rationale and policy names do not count. */
export function isChanged(before: PolicyDecision, after: PolicyDecision): boolean {
  return canonicalJson(essence(before)) !== canonicalJson(essence(after));
}

function essence({ decision, riskLevel, toolConstraints, acceptsTaint, approval }: PolicyDecision): object {
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
 * Returns whether the other policy is weaker: it denies less or requires fewer approvals, lowers the quorum, admits
 * other candidates, or lets the step's agent use tools that were withheld.
 */
export function isWeaker(before: PolicyDecision, after: PolicyDecision, request: PolicyRequest): boolean {
  const [was, is] = [STRICTNESS[outcomeOf(before, request)], STRICTNESS[outcomeOf(after, request)]];
  if (was !== is) return is < was;
  if (outcomeOf(after, request) === 'require_approval' && asksLess(before.approval, after.approval)) return true;
  return [...before.toolConstraints.denied, ...before.toolConstraints.requireApproval].some((tool) =>
    isFreer(before, after, tool),
  );
}

type Asked = PolicyDecision['approval'];

function asksLess(before: Asked, after: Asked): boolean {
  if ((after?.quorum ?? 1) < (before?.quorum ?? 1)) return true;
  const [were, are] = [candidates(before), candidates(after)];
  // Without named candidates, every user who may approve is a candidate.
  return were.length > 0 && (are.length === 0 || are.some((each) => !were.includes(each)));
}

function candidates(asked: Asked): readonly string[] {
  return [
    ...(asked?.candidateUsers ?? []).map((user) => `user ${user}`),
    ...(asked?.candidateGroups ?? []).map((group) => `group ${group}`),
  ];
}

function isFreer(
  { toolConstraints: before }: PolicyDecision,
  { toolConstraints: after }: PolicyDecision,
  tool: string,
): boolean {
  if (after.denied.includes(tool)) return false;
  return before.denied.includes(tool) || !after.requireApproval.includes(tool);
}
