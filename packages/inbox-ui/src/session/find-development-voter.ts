import type { Approval, DevelopmentUser } from '@countersign/contract';
import { findUnavailableUsers } from '../inbox/find-unavailable-users.js';

type VotableApproval = Pick<
  Approval,
  'candidateUsers' | 'candidateGroups' | 'requestedBy' | 'votes' | 'delegations' | 'excludedUsers'
>;

/**
 * Returns the development user who can decide an approval instead of the caller. If none is a candidate, an approver is
 * returned as a candidate: on a development server, anyone can be anyone.
 */
export function findDevelopmentVoter(
  approval: VotableApproval,
  users: readonly DevelopmentUser[],
  callerSubject: string,
): DevelopmentUser | undefined {
  const { candidateUsers, candidateGroups, requestedBy } = approval;
  const unavailableUsers = findUnavailableUsers({ excludedUsers: [requestedBy], ...approval });
  const canBe = (subject: string): boolean => subject !== callerSubject && !unavailableUsers.has(subject);
  const approvers = users.filter(({ subject, role }) => (role === 'approver' || role === 'admin') && canBe(subject));
  const isForAnyone = candidateUsers.length + candidateGroups.length === 0;
  const voter = approvers.find(
    ({ subject, groups }) =>
      isForAnyone || candidateUsers.includes(subject) || groups.some((group) => candidateGroups.includes(group)),
  );
  if (voter !== undefined) return voter;
  const candidate = candidateUsers.find(canBe);
  if (candidate !== undefined) return { subject: candidate, name: null, role: 'approver', groups: [] };
  const [approver] = approvers;
  const [group] = candidateGroups;
  if (approver === undefined || group === undefined) return undefined;
  return { ...approver, groups: [...approver.groups, group] };
}
