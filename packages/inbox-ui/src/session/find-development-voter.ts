import type { Approval, DevelopmentUser } from '@countersign/contract';

type VotableApproval = Pick<
  Approval,
  'candidateUsers' | 'candidateGroups' | 'requestedBy' | 'votes' | 'delegations' | 'excludedUsers'
>;

/**
 * Returns the development user who can decide an approval instead of the caller. If none is a candidate, an approver is
 * returned as a candidate: on a development server, anyone can be anyone.
 */
export function findDevelopmentVoter(
  { candidateUsers, candidateGroups, requestedBy, votes, delegations, excludedUsers = [requestedBy] }: VotableApproval,
  users: readonly DevelopmentUser[],
  callerSubject: string,
): DevelopmentUser | undefined {
  const excludedSubjects = new Set([
    callerSubject,
    ...excludedUsers,
    ...votes.map(({ by }) => by),
    ...delegations.flatMap(({ from, voteId }) => (voteId === null ? [] : [from])),
  ]);
  const approvers = users.filter(
    ({ subject, role }) => (role === 'approver' || role === 'admin') && !excludedSubjects.has(subject),
  );
  const isForAnyone = candidateUsers.length + candidateGroups.length === 0;
  const voter = approvers.find(
    ({ subject, groups }) =>
      isForAnyone || candidateUsers.includes(subject) || groups.some((group) => candidateGroups.includes(group)),
  );
  if (voter !== undefined) return voter;
  const candidate = candidateUsers.find((subject) => !excludedSubjects.has(subject));
  if (candidate !== undefined) return { subject: candidate, name: null, role: 'approver', groups: [] };
  const [approver] = approvers;
  const [group] = candidateGroups;
  if (approver === undefined || group === undefined) return undefined;
  return { ...approver, groups: [...approver.groups, group] };
}
