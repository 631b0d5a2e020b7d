import { toAbsentPerson, isSelfAppointedSubstitute, type Absence } from './absence.js';
import { matchesName, type Actor, type NamedActor } from './principal.js';
import type { ApprovalDecision, ApprovalVote, Delegation, PendingApproval } from './run-state.js';

/** Reasons why a person may not vote on an approval. */
export const ELIGIBILITY_REASONS = Object.freeze([
  'service_cannot_decide',
  'not_a_candidate',
  'self_approval',
  'already_voted',
] as const);
export type EligibilityReason = (typeof ELIGIBILITY_REASONS)[number];

/**
 * BPMN error codes that an approval throws for its outcomes if an event of the BPMN model catches them (interface
 * decisions, "Approvals").
 */
export const DECISION_ERRORS = Object.freeze({
  approve: null,
  reject: 'approval.rejected',
  request_changes: 'approval.changesRequested',
} as const satisfies Record<ApprovalDecision, string | null>);

type ApprovalVoters = Pick<PendingApproval, 'candidateUsers' | 'candidateGroups' | 'delegations' | 'votes'>;

/**
 * Returns the reasons why a person may not vote on an approval; an empty list if they may. They must be a candidate (or
 * a candidate's delegate, or the substitute of an absent candidate), must not have contributed to the subject, and must
 * not have voted yet. If no candidates are named, everyone with the role is a candidate.
 *
 * @param excluded ids of the people excluded by the separation of duties; their delegations are ignored as well, since
 * otherwise they could choose who votes on their work
 * @param now milliseconds since the epoch
 * @param absences all absences in force now, of any person
 */
export function findIneligibilityReasons(
  approval: ApprovalVoters,
  excluded: Readonly<Record<string, string>>,
  actor: Actor,
  now: number,
  absences: readonly Absence[] = [],
): EligibilityReason[] {
  if (actor.type !== 'user') return ['service_cannot_decide'];
  const reasons: EligibilityReason[] = [];
  if (!isCandidate(approval, actor) && findUsableDelegation(approval, excluded, actor, now, absences) === undefined)
    reasons.push('not_a_candidate');
  if (Object.hasOwn(excluded, actor.id)) reasons.push('self_approval');
  if (hasVoted(approval, actor)) reasons.push('already_voted');
  return reasons;
}

/**
 * Returns whether a person has voted, or another person has voted in their place. A substitute may have voted in place
 * of a user name that was later recognized as a name of the person.
 */
export function hasVoted(approval: Pick<ApprovalVoters, 'delegations' | 'votes'>, person: NamedActor): boolean {
  return (
    approval.votes.some((vote) => vote.by === person.id) ||
    approval.delegations.some((delegation) => delegation.voteId !== undefined && matchesName(person, delegation.from))
  );
}

/** Returns the candidate users that refer to a person by a user name instead of the id. */
export function findCandidateNames(
  { candidateUsers }: Pick<ApprovalVoters, 'candidateUsers'>,
  person: NamedActor,
): readonly string[] {
  return candidateUsers.filter((name) => name !== person.id && matchesName(person, name));
}

/** Reasons to exclude a person that do not invalidate a vote that they have already cast. */
const NON_INVALIDATING_REASONS: ReadonlySet<string> = new Set(['decided_before', 'assigned_self']);

/**
 * Returns the ids of the approving votes that do not count or no longer count: votes of people who have contributed to
 * the data since they voted, and votes in place of such people. A vote remains valid if its voter is excluded only
 * because of a vote in this run, or because they reassigned the approval afterwards.
 *
 * @param excluded ids of the people excluded by the separation of duties, with the reason
 */
export function findUncountedVotes(
  { votes, delegations }: Pick<ApprovalVoters, 'delegations' | 'votes'>,
  excluded: Readonly<Record<string, string>>,
): string[] {
  const areVotesInvalid = (id: string): boolean =>
    Object.hasOwn(excluded, id) && !NON_INVALIDATING_REASONS.has(excluded[id] ?? '');
  const isInPlaceOfExcluded = (voteId: string): boolean =>
    delegations.some((each) => each.voteId === voteId && areVotesInvalid(each.from));
  return votes
    .filter(
      ({ voteId, decision, by, counts }) =>
        counts === false || (decision === 'approve' && (areVotesInvalid(by) || isInPlaceOfExcluded(voteId))),
    )
    .map(({ voteId }) => voteId);
}

/** Returns the number of approving votes that count. */
export function countApprovals(votes: readonly Pick<ApprovalVote, 'decision' | 'counts'>[]): number {
  return votes.filter(({ decision, counts }) => decision === 'approve' && counts !== false).length;
}

/**
 * Returns the delegation with which a person who is not a candidate may vote now: a recorded one, or otherwise a
 * substitution for an absent candidate.
 */
export function findUsableDelegation(
  approval: ApprovalVoters,
  excluded: Readonly<Record<string, string>>,
  actor: Actor,
  now: number,
  absences: readonly Absence[] = [],
): Delegation | undefined {
  if (isCandidate(approval, actor)) return undefined;
  const recordedDelegation = approval.delegations.find(
    (delegation) =>
      delegation.from !== actor.id &&
      matchesName(actor, delegation.to) &&
      isDelegationOpen(delegation, now) &&
      !Object.hasOwn(excluded, delegation.from),
  );
  return recordedDelegation ?? findSubstitution(approval, excluded, actor, now, absences);
}

/**
 * Returns a delegation from an absent candidate to the person, if the person is the substitute. Applies only to
 * candidates named as users: the groups of a person are known only from their token, and a delegation cannot be passed
 * on. If an absent approver delegated an approval, it stays with the delegate.
 */
function findSubstitution(
  approval: ApprovalVoters,
  excluded: Readonly<Record<string, string>>,
  actor: Actor,
  now: number,
  absences: readonly Absence[],
): Delegation | undefined {
  for (const absence of absences) {
    const absentPerson = toAbsentPerson(absence);
    if (
      isSubstitute(actor, absence) &&
      approval.candidateUsers.some((name) => matchesName(absentPerson, name)) &&
      !Object.hasOwn(excluded, absentPerson.id) &&
      !hasVoted(approval, absentPerson) &&
      !approval.delegations.some(
        (delegation) => delegation.from === absentPerson.id && isDelegationOpen(delegation, now),
      )
    ) {
      const { subject: from, until, absenceId } = absence;
      const fromNames = findCandidateNames(approval, absentPerson);
      return { from, ...(fromNames.length === 0 ? {} : { fromNames }), to: actor.id, until, absenceId };
    }
  }
  return undefined;
}

/** Returns whether a person is the substitute in an absence that they did not set themselves. */
export function isSubstitute(actor: NamedActor, absence: Absence): boolean {
  if (absence.substitute === null || !matchesName(actor, absence.substitute) || isSelfAppointedSubstitute(absence))
    return false;
  return absence.setBy !== actor.id && absence.subject !== actor.id;
}

function isDelegationOpen({ voteId, until }: Delegation, now: number): boolean {
  return voteId === undefined && (until === null || now < until);
}

/** Returns whether a person is a candidate in their own right (not as a delegate). */
export function isCandidate(
  approval: Pick<ApprovalVoters, 'candidateUsers' | 'candidateGroups'>,
  actor: Actor,
): boolean {
  if (approval.candidateUsers.length === 0 && approval.candidateGroups.length === 0) return true;
  if (approval.candidateUsers.some((name) => matchesName(actor, name))) return true;
  return actor.groups?.some((group) => approval.candidateGroups.includes(group)) ?? false;
}
