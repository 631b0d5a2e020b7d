import type { Approval } from '@countersign/contract';

type VotedApproval = Pick<Approval, 'votes' | 'delegations' | 'excludedUsers'>;

/** Returns the users who have no vote on an approval: excluded ones, those who have voted, and those whose delegate has. */
export function findUnavailableUsers({ votes, delegations, excludedUsers = [] }: VotedApproval): ReadonlySet<string> {
  return new Set([
    ...excludedUsers,
    ...votes.flatMap(({ by, askedAs = [] }) => [by, ...askedAs]),
    ...delegations.flatMap(({ from, voteId }) => (voteId === null ? [] : [from])),
  ]);
}
