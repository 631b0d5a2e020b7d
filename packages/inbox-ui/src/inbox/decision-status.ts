import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { oneLine } from '../ui/one-line.js';

const { why, resolved, quorumSentence } = texts.approvals;

/** Why the one who looks can't decide, in sentences; none where they can. */
export function whyNot(approval: Pick<Approval, 'status' | 'resolvedBy' | 'canDecide' | 'votes'>): string[] {
  if (approval.status !== 'pending') return [resolutionText(approval)];
  // Who lacks the role lacks it for all, and who has voted for another is not asked any more: the rest is noise then.
  const { reasons } = approval.canDecide;
  const telling = reasons.includes('forbidden')
    ? ['forbidden']
    : reasons.filter((code) => code !== 'not_a_candidate' || !reasons.includes('already_voted'));
  return telling.map((code) =>
    Object.hasOwn(why, code) ? ((why as unknown as Record<string, string>)[code] ?? '') : why.other(code),
  );
}

/** What became of an approval that is not pending any more. */
export function resolutionText({
  status,
  resolvedBy,
  votes,
}: Pick<Approval, 'status' | 'resolvedBy' | 'votes'>): string {
  const name = nameOf(votes, resolvedBy);
  if (status === 'withdrawn') return resolved.withdrawn;
  if (status === 'expired') return resolved.expired;
  return status === 'pending' ? '' : resolved[status](name);
}

/** How many have approved, who, and who is still asked. Empty where one vote is enough. */
export function missingVotesText({ quorum, votes, candidateUsers, candidateGroups, delegations }: Approval): string {
  if (quorum.required < 2) return '';
  const approved = votes.filter(({ decision, counts }) => decision === 'approve' && counts !== false);
  const missing = Math.max(0, quorum.required - quorum.approvals);
  const said =
    approved.length === 0
      ? ''
      : `${quorumSentence.approved(approved.map(({ by, byName }) => oneLine(byName ?? by, 60)).join(', '))} `;
  if (missing === 0) return said.trim();
  const spent = new Set([
    ...votes.flatMap(({ by, askedAs = [] }) => [by, ...askedAs]),
    ...delegations.flatMap(({ from, voteId }) => (voteId === null ? [] : [from])),
  ]);
  const users = candidateUsers.filter((user) => !spent.has(user)).map((user) => oneLine(user, 60));
  const delegates = delegations.flatMap(({ to, voteId }) =>
    voteId === null && !spent.has(to) ? [oneLine(to, 60)] : [],
  );
  const asked = [...users, ...delegates, ...candidateGroups.map((group) => quorumSentence.group(oneLine(group, 60)))];
  const from =
    candidateUsers.length + candidateGroups.length === 0 ? quorumSentence.anyone : [...new Set(asked)].join(', ');
  return `${said}${quorumSentence.missing(missing)}${from === '' ? '' : ` ${quorumSentence.from(from)}`}.`;
}

function nameOf(votes: Approval['votes'], id: string | null): string {
  if (id === null) return resolved.somebody;
  return oneLine(votes.find(({ by }) => by === id)?.byName ?? id, 60);
}
