import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';
import { findUnavailableUsers } from './find-unavailable-users.js';

const { why, resolved, quorumSentence, otherVoters } = texts.approvals;

/** Returns sentences that explain why the user cannot decide; empty if the user can. */
export function explainDecisionBlockers(
  approval: Pick<Approval, 'status' | 'resolvedBy' | 'canDecide' | 'votes'>,
): string[] {
  if (approval.status !== 'pending') return [describeOutcome(approval)];
  // A missing role applies to every approval, so the other reasons are left out. A user who has voted is no longer a
  // candidate, so that reason is left out as well.
  const { reasons } = approval.canDecide;
  const relevantReasons = reasons.includes('forbidden')
    ? ['forbidden']
    : reasons.filter((code) => code !== 'not_a_candidate' || !reasons.includes('already_voted'));
  return relevantReasons.map((code) =>
    Object.hasOwn(why, code) ? ((why as unknown as Record<string, string>)[code] ?? '') : why.other(code),
  );
}

/** Returns a sentence that states the outcome of an approval; empty if the approval is pending. */
export function describeOutcome({
  status,
  resolvedBy,
  votes,
}: Pick<Approval, 'status' | 'resolvedBy' | 'votes'>): string {
  const name = displayName(votes, resolvedBy);
  if (status === 'withdrawn') return resolved.withdrawn;
  if (status === 'expired') return resolved.expired;
  return status === 'pending' ? '' : resolved[status](name);
}

/**
 * Returns a text that states who has approved, how many votes are missing, and who can still vote; empty if one vote is
 * enough.
 */
export function describeMissingVotes(approval: Approval): string {
  const { quorum, votes, candidateUsers, candidateGroups } = approval;
  if (quorum.required < 2) return '';
  const approved = votes.filter(({ decision, counts }) => decision === 'approve' && counts !== false);
  const missing = Math.max(0, quorum.required - quorum.approvals);
  const approvedText =
    approved.length === 0
      ? ''
      : `${quorumSentence.approved(approved.map(({ by, byName }) => toOneLine(byName ?? by, 60)).join(', '))} `;
  if (missing === 0) return approvedText.trim();
  const from =
    candidateUsers.length + candidateGroups.length === 0 ? quorumSentence.anyone : listOpenVoters(approval).join(', ');
  return `${approvedText}${quorumSentence.missing(missing)}${from === '' ? '' : ` ${quorumSentence.from(from)}`}.`;
}

/**
 * Returns a sentence that states who can decide an approval that the caller may not decide; empty if it is no longer
 * pending.
 *
 * @param callerNames subject and other names of the caller
 * @param now in ms since the epoch
 */
export function describeOtherVoters(approval: Approval, callerNames: readonly string[], now: number): string {
  const { status, candidateUsers, candidateGroups, excludedUsers = [] } = approval;
  if (status !== 'pending') return '';
  if (candidateUsers.length + candidateGroups.length === 0) {
    const excluded = excludedUsers.filter((user) => !callerNames.includes(user)).map((user) => toOneLine(user, 60));
    return excluded.length === 0 ? otherVoters.anyone : otherVoters.anyoneExcept(CONJUNCTION.format(excluded));
  }
  const voters = listOpenVoters(approval, callerNames, now);
  return voters.length === 0 ? otherVoters.nobody : otherVoters.some(DISJUNCTION.format(voters));
}

const CONJUNCTION = new Intl.ListFormat('en', { type: 'conjunction' });
const DISJUNCTION = new Intl.ListFormat('en', { type: 'disjunction' });

/** Returns the candidates, delegates, substitutes and groups that can still vote, without the given users. */
function listOpenVoters(approval: Approval, otherUsers: readonly string[] = [], now = -Infinity): readonly string[] {
  const { candidateUsers, candidateGroups, delegations, absences } = approval;
  const unavailableUsers = findUnavailableUsers(approval);
  const delegates = delegations.flatMap(({ to, voteId, until }) =>
    voteId === null && (until === null || now < Date.parse(until)) ? [to] : [],
  );
  const substitutes = absences.flatMap(({ substitute }) => (substitute === null ? [] : [substitute]));
  const users = [...candidateUsers, ...delegates, ...substitutes].filter(
    (user) => !unavailableUsers.has(user) && !otherUsers.includes(user),
  );
  return [
    ...new Set(users.map((user) => toOneLine(user, 60))),
    ...candidateGroups.map((group) => quorumSentence.group(toOneLine(group, 60))),
  ];
}

function displayName(votes: Approval['votes'], id: string | null): string {
  if (id === null) return resolved.someone;
  return toOneLine(votes.find(({ by }) => by === id)?.byName ?? id, 60);
}
