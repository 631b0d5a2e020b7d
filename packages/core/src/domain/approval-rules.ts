import type { Actor } from './principal.js';
import type { ApprovalDecision, Delegation, PendingApproval } from './run-state.js';

/** Why somebody may not decide an approval. */
export const ELIGIBILITY_REASONS = Object.freeze([
  'service_cannot_decide',
  'not_a_candidate',
  'self_approval',
  'already_voted',
] as const);
export type EligibilityReason = (typeof ELIGIBILITY_REASONS)[number];

/** Codes of the errors by which decisions are handed to events of the model that name them (interface decisions, "Approvals"). */
export const DECISION_ERRORS = Object.freeze({
  approve: null,
  reject: 'approval.rejected',
  request_changes: 'approval.changesRequested',
} as const satisfies Record<ApprovalDecision, string | null>);

type Asked = Pick<PendingApproval, 'candidateUsers' | 'candidateGroups' | 'delegations' | 'votes'>;

/**
 * Whether a person may decide an approval: a candidate (or the delegate of one) who did not have a hand in what is being
 * approved, and who has not voted yet. No candidates named: everybody with the role is one.
 *
 * @param excluded ids of the people kept out by the separation of duties; what they delegate is void as well, since they
 * would choose their own judge.
 * @param now milliseconds since the epoch
 */
export function ineligibleBecause(
  approval: Asked,
  excluded: Readonly<Record<string, string>>,
  actor: Actor,
  now: number,
): EligibilityReason[] {
  if (actor.type !== 'user') return ['service_cannot_decide'];
  const reasons: EligibilityReason[] = [];
  if (!isCandidate(approval, excluded, actor, now)) reasons.push('not_a_candidate');
  if (Object.hasOwn(excluded, actor.id)) reasons.push('self_approval');
  if (hasVoted(approval, actor.id)) reasons.push('already_voted');
  return reasons;
}

function isCandidate(approval: Asked, excluded: Readonly<Record<string, string>>, actor: Actor, now: number): boolean {
  return isNamed(approval, actor) || placeTaken(approval, excluded, actor, now) !== undefined;
}

/** Whether the one vote of a person is spent, by themselves or by a delegate. */
export function hasVoted(approval: Pick<Asked, 'delegations' | 'votes'>, id: string): boolean {
  return (
    approval.votes.some((vote) => vote.by === id) ||
    approval.delegations.some((delegation) => delegation.from === id && delegation.voteId !== undefined)
  );
}

/** The delegation that lets somebody who is not asked themselves vote now. */
export function placeTaken(
  approval: Asked,
  excluded: Readonly<Record<string, string>>,
  actor: Actor,
  now: number,
): Delegation | undefined {
  if (isNamed(approval, actor)) return undefined;
  return approval.delegations.find(
    (delegation) =>
      delegation.to === actor.id &&
      delegation.voteId === undefined &&
      (delegation.until === null || now < delegation.until) &&
      !Object.hasOwn(excluded, delegation.from),
  );
}

/** Whether somebody is asked in their own right (not as a delegate). */
export function isNamed(approval: Pick<Asked, 'candidateUsers' | 'candidateGroups'>, actor: Actor): boolean {
  if (approval.candidateUsers.length === 0 && approval.candidateGroups.length === 0) return true;
  if (approval.candidateUsers.includes(actor.id)) return true;
  return actor.groups?.some((group) => approval.candidateGroups.includes(group)) ?? false;
}
