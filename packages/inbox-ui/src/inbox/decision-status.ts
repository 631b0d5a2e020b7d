import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { oneLine } from '../ui/one-line.js';

const { why, resolved, quorumSentence } = texts.approvals;

/** Returns sentences that explain why the user cannot decide; empty if the user can. */
export function decisionBlockers(approval: Pick<Approval, 'status' | 'resolvedBy' | 'canDecide' | 'votes'>): string[] {
  if (approval.status !== 'pending') return [resolutionText(approval)];
  // A missing role applies to every approval, and a user who has voted is no longer a candidate: other reasons are
  // noise.
  const { reasons } = approval.canDecide;
  const relevantReasons = reasons.includes('forbidden')
    ? ['forbidden']
    : reasons.filter((code) => code !== 'not_a_candidate' || !reasons.includes('already_voted'));
  return relevantReasons.map((code) =>
    Object.hasOwn(why, code) ? ((why as unknown as Record<string, string>)[code] ?? '') : why.other(code),
  );
}

/** Returns the text of an approval's resolution. */
export function resolutionText({
  status,
  resolvedBy,
  votes,
}: Pick<Approval, 'status' | 'resolvedBy' | 'votes'>): string {
  const name = displayName(votes, resolvedBy);
  if (status === 'withdrawn') return resolved.withdrawn;
  if (status === 'expired') return resolved.expired;
  return status === 'pending' ? '' : resolved[status](name);
}

/** Returns how many users have approved, who they are, and whose votes are open. Empty if one vote is enough. */
export function missingVotesText({ quorum, votes, candidateUsers, candidateGroups, delegations }: Approval): string {
  if (quorum.required < 2) return '';
  const approved = votes.filter(({ decision, counts }) => decision === 'approve' && counts !== false);
  const missing = Math.max(0, quorum.required - quorum.approvals);
  const approvedText =
    approved.length === 0
      ? ''
      : `${quorumSentence.approved(approved.map(({ by, byName }) => oneLine(byName ?? by, 60)).join(', '))} `;
  if (missing === 0) return approvedText.trim();
  const votedUsers = new Set([
    ...votes.flatMap(({ by, askedAs = [] }) => [by, ...askedAs]),
    ...delegations.flatMap(({ from, voteId }) => (voteId === null ? [] : [from])),
  ]);
  const users = candidateUsers.filter((user) => !votedUsers.has(user)).map((user) => oneLine(user, 60));
  const delegates = delegations.flatMap(({ to, voteId }) =>
    voteId === null && !votedUsers.has(to) ? [oneLine(to, 60)] : [],
  );
  const openVoters = [
    ...users,
    ...delegates,
    ...candidateGroups.map((group) => quorumSentence.group(oneLine(group, 60))),
  ];
  const from =
    candidateUsers.length + candidateGroups.length === 0 ? quorumSentence.anyone : [...new Set(openVoters)].join(', ');
  return `${approvedText}${quorumSentence.missing(missing)}${from === '' ? '' : ` ${quorumSentence.from(from)}`}.`;
}

function displayName(votes: Approval['votes'], id: string | null): string {
  if (id === null) return resolved.somebody;
  return oneLine(votes.find(({ by }) => by === id)?.byName ?? id, 60);
}
