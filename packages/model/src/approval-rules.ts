import { absentPerson, isOwnSubstitute, type Absence } from './absence.js';
import { isCalled, type Actor, type Named } from './principal.js';
import type { ApprovalDecision, ApprovalVote, Delegation, PendingApproval } from './run-state.js';

/** Reasons why a person may not decide an approval. */
export const ELIGIBILITY_REASONS = Object.freeze([
  'service_cannot_decide',
  'not_a_candidate',
  'self_approval',
  'already_voted',
] as const);
export type EligibilityReason = (typeof ELIGIBILITY_REASONS)[number];

/** Error codes that pass decisions to events of the model that name them (interface decisions, "Approvals"). */
export const DECISION_ERRORS = Object.freeze({
  approve: null,
  reject: 'approval.rejected',
  request_changes: 'approval.changesRequested',
} as const satisfies Record<ApprovalDecision, string | null>);

type Asked = Pick<PendingApproval, 'candidateUsers' | 'candidateGroups' | 'delegations' | 'votes'>;

/**
 * Returns why a person may not decide an approval, or `undefined` if they may. They must be a candidate (or a
 * candidate's delegate, or the substitute of an absent candidate), must not have contributed to the subject, and must
 * not have voted yet. If no candidates are named, everyone with the role is a candidate.
 *
 * @param excluded ids of the people excluded by the separation of duties; their delegations are void as well, since
 * otherwise they would choose who decides on their work
 * @param now milliseconds since the epoch
 * @param absences all absences in force now, of any person
 */
export function ineligibleBecause(
  approval: Asked,
  excluded: Readonly<Record<string, string>>,
  actor: Actor,
  now: number,
  absences: readonly Absence[] = [],
): EligibilityReason[] {
  if (actor.type !== 'user') return ['service_cannot_decide'];
  const reasons: EligibilityReason[] = [];
  if (!isNamed(approval, actor) && placeTaken(approval, excluded, actor, now, absences) === undefined)
    reasons.push('not_a_candidate');
  if (Object.hasOwn(excluded, actor.id)) reasons.push('self_approval');
  if (hasVoted(approval, actor)) reasons.push('already_voted');
  return reasons;
}

/**
 * Returns whether a person's single vote is used, by themselves or in their place. A substitute may have taken that
 * place under a user name that became theirs later, if no one had user names before.
 */
export function hasVoted(approval: Pick<Asked, 'delegations' | 'votes'>, person: Named): boolean {
  return (
    approval.votes.some((vote) => vote.by === person.id) ||
    approval.delegations.some((delegation) => delegation.voteId !== undefined && isCalled(person, delegation.from))
  );
}

/** Returns the candidate users that refer to a person, other than by id. */
export function askedAs({ candidateUsers }: Pick<Asked, 'candidateUsers'>, person: Named): readonly string[] {
  return candidateUsers.filter((name) => name !== person.id && isCalled(person, name));
}

/** Reasons to exclude a person that do not invalidate a vote that they have already cast. */
const STILL_COUNTS: ReadonlySet<string> = new Set(['decided_before', 'assigned_self']);

/**
 * Returns the ids of the approving votes that do not count (any more): votes of people who have contributed to the data
 * since they voted, and votes in place of such people. Having decided by that vote, or having reassigned the approval
 * since, does not invalidate a vote.
 *
 * @param excluded ids of the people excluded by the separation of duties, with the reason
 */
export function votesNotCounted(
  { votes, delegations }: Pick<Asked, 'delegations' | 'votes'>,
  excluded: Readonly<Record<string, string>>,
): string[] {
  const isKeptOut = (id: string): boolean => Object.hasOwn(excluded, id) && !STILL_COUNTS.has(excluded[id] ?? '');
  const isInPlaceOfOne = (voteId: string): boolean =>
    delegations.some((each) => each.voteId === voteId && isKeptOut(each.from));
  return votes
    .filter(
      ({ voteId, decision, by, counts }) =>
        counts === false || (decision === 'approve' && (isKeptOut(by) || isInPlaceOfOne(voteId))),
    )
    .map(({ voteId }) => voteId);
}

/** Returns how many votes to approve count. */
export function approvalsIn(votes: readonly Pick<ApprovalVote, 'decision' | 'counts'>[]): number {
  return votes.filter(({ decision, counts }) => decision === 'approve' && counts !== false).length;
}

/**
 * Returns what allows a person who is not a candidate to vote now: a delegation, or else the absence of a candidate.
 */
export function placeTaken(
  approval: Asked,
  excluded: Readonly<Record<string, string>>,
  actor: Actor,
  now: number,
  absences: readonly Absence[] = [],
): Delegation | undefined {
  if (isNamed(approval, actor)) return undefined;
  const delegated = approval.delegations.find(
    (delegation) =>
      delegation.from !== actor.id &&
      isCalled(actor, delegation.to) &&
      isOpen(delegation, now) &&
      !Object.hasOwn(excluded, delegation.from),
  );
  return delegated ?? substitution(approval, excluded, actor, now, absences);
}

/**
 * Returns the place of an absent approver. Applies only to candidates named as users: the members of a group are known
 * only from their tokens, and a delegation cannot be passed on. If an absent approver delegated an approval, it stays
 * with the delegate.
 */
function substitution(
  approval: Asked,
  excluded: Readonly<Record<string, string>>,
  actor: Actor,
  now: number,
  absences: readonly Absence[],
): Delegation | undefined {
  for (const absence of absences) {
    const absent = absentPerson(absence);
    if (
      isSubstitute(actor, absence) &&
      approval.candidateUsers.some((name) => isCalled(absent, name)) &&
      !Object.hasOwn(excluded, absent.id) &&
      !hasVoted(approval, absent) &&
      !approval.delegations.some((delegation) => delegation.from === absent.id && isOpen(delegation, now))
    ) {
      const { subject: from, until, absenceId } = absence;
      const fromNames = askedAs(approval, absent);
      return { from, ...(fromNames.length === 0 ? {} : { fromNames }), to: actor.id, until, absenceId };
    }
  }
  return undefined;
}

/** Returns whether a person is the substitute in an absence that they did not set themselves. */
export function isSubstitute(actor: Named, absence: Absence): boolean {
  if (absence.substitute === null || !isCalled(actor, absence.substitute) || isOwnSubstitute(absence)) return false;
  return absence.setBy !== actor.id && absence.subject !== actor.id;
}

function isOpen({ voteId, until }: Delegation, now: number): boolean {
  return voteId === undefined && (until === null || now < until);
}

/** Returns whether a person is a candidate in their own right (not as a delegate). */
export function isNamed(approval: Pick<Asked, 'candidateUsers' | 'candidateGroups'>, actor: Actor): boolean {
  if (approval.candidateUsers.length === 0 && approval.candidateGroups.length === 0) return true;
  if (approval.candidateUsers.some((name) => isCalled(actor, name))) return true;
  return actor.groups?.some((group) => approval.candidateGroups.includes(group)) ?? false;
}
