import { absentPerson, isOwnSubstitute, type Absence } from './absence.js';
import { isCalled, type Actor, type Named } from './principal.js';
import type { ApprovalDecision, ApprovalVote, Delegation, PendingApproval } from './run-state.js';

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
 * Whether a person may decide an approval: a candidate (or the delegate of one, or the substitute of one who is away) who
 * did not have a hand in what is being approved, and who has not voted yet. No candidates named: everybody with the role is
 * one.
 *
 * @param excluded ids of the people kept out by the separation of duties; what they delegate is void as well, since they
 * would choose their own judge.
 * @param now milliseconds since the epoch
 * @param absences those that are in force now, of whomever
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
 * Whether the one vote of a person is spent, by themselves or in their place. That place may have been taken under a name that
 * became theirs later, if nobody had user names before.
 */
export function hasVoted(approval: Pick<Asked, 'delegations' | 'votes'>, person: Named): boolean {
  return (
    approval.votes.some((vote) => vote.by === person.id) ||
    approval.delegations.some((delegation) => delegation.voteId !== undefined && isCalled(person, delegation.from))
  );
}

/** The candidate users that somebody is, other than by their id. */
export function askedAs({ candidateUsers }: Pick<Asked, 'candidateUsers'>, person: Named): readonly string[] {
  return candidateUsers.filter((name) => name !== person.id && isCalled(person, name));
}

/** Reasons to keep somebody out that say nothing of a vote that they have cast already. */
const STILL_COUNTS: ReadonlySet<string> = new Set(['decided_before', 'assigned_self']);

/**
 * The approving votes that do not count (any more), by their ids: those of people who have had a hand in the data since they
 * voted, and those in their place. That they have decided by it, or have asked themselves since, is no such reason.
 *
 * @param excluded ids of the people kept out by the separation of duties, with why
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

/** How many people have approved whose votes count. */
export function approvalsIn(votes: readonly Pick<ApprovalVote, 'decision' | 'counts'>[]): number {
  return votes.filter(({ decision, counts }) => decision === 'approve' && counts !== false).length;
}

/** What lets somebody who is not asked themselves vote now: a delegation, or else the absence of somebody who is. */
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
 * The place of an absent approver. Only of those who are asked by name: whom a group stands for is known from its members'
 * tokens alone, and what was delegated to somebody is not handed on. What they have delegated themselves stays with whom
 * they chose.
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

/** Whether somebody is the substitute in an absence, and not by their own doing. */
export function isSubstitute(actor: Named, absence: Absence): boolean {
  if (absence.substitute === null || !isCalled(actor, absence.substitute) || isOwnSubstitute(absence)) return false;
  return absence.setBy !== actor.id && absence.subject !== actor.id;
}

function isOpen({ voteId, until }: Delegation, now: number): boolean {
  return voteId === undefined && (until === null || now < until);
}

/** Whether somebody is asked in their own right (not as a delegate). */
export function isNamed(approval: Pick<Asked, 'candidateUsers' | 'candidateGroups'>, actor: Actor): boolean {
  if (approval.candidateUsers.length === 0 && approval.candidateGroups.length === 0) return true;
  if (approval.candidateUsers.some((name) => isCalled(actor, name))) return true;
  return actor.groups?.some((group) => approval.candidateGroups.includes(group)) ?? false;
}
