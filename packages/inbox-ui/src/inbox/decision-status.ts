import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';

const { why, resolved, quorumSentence } = texts.approvals;

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
export function describeMissingVotes({
  quorum,
  votes,
  candidateUsers,
  candidateGroups,
  delegations,
}: Approval): string {
  if (quorum.required < 2) return '';
  const approved = votes.filter(({ decision, counts }) => decision === 'approve' && counts !== false);
  const missing = Math.max(0, quorum.required - quorum.approvals);
  const approvedText =
    approved.length === 0
      ? ''
      : `${quorumSentence.approved(approved.map(({ by, byName }) => toOneLine(byName ?? by, 60)).join(', '))} `;
  if (missing === 0) return approvedText.trim();
  const votedUsers = new Set([
    ...votes.flatMap(({ by, askedAs = [] }) => [by, ...askedAs]),
    ...delegations.flatMap(({ from, voteId }) => (voteId === null ? [] : [from])),
  ]);
  const users = candidateUsers.filter((user) => !votedUsers.has(user)).map((user) => toOneLine(user, 60));
  const delegates = delegations.flatMap(({ to, voteId }) =>
    voteId === null && !votedUsers.has(to) ? [toOneLine(to, 60)] : [],
  );
  const openVoters = [
    ...users,
    ...delegates,
    ...candidateGroups.map((group) => quorumSentence.group(toOneLine(group, 60))),
  ];
  const from =
    candidateUsers.length + candidateGroups.length === 0 ? quorumSentence.anyone : [...new Set(openVoters)].join(', ');
  return `${approvedText}${quorumSentence.missing(missing)}${from === '' ? '' : ` ${quorumSentence.from(from)}`}.`;
}

function displayName(votes: Approval['votes'], id: string | null): string {
  if (id === null) return resolved.someone;
  return toOneLine(votes.find(({ by }) => by === id)?.byName ?? id, 60);
}
