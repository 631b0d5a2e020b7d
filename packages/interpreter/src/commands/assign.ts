import {
  findCandidateNames,
  type DelegateCommand,
  hasVoted,
  isCandidate,
  type PendingApproval,
  getResponsiblePersonId,
  type ReassignCommand,
  toRecordedActor,
  type RunEventMap,
} from '@countersign/model';
import { buildApprovalRecord } from '../approvals/build-approval-record.js';
import { changeApproval } from '../approvals/change-approval.js';
import { findApproval, replaceApproval, type FoundApproval } from '../approvals/find-approval.js';
import { findExcludedUsers } from '../approvals/find-excluded-users.js';
import { buildApprovalSubject } from '../approvals/build-approval-subject.js';
import type { Execution } from '../execution.js';

/** Lets a candidate delegate the vote to another user. Users who may not decide may not delegate. */
export function delegate(execution: Execution, command: DelegateCommand): void {
  const found = findApprovalOrRefuse(execution, command.approvalId);
  if (found === undefined) return;
  const { approval } = found;
  const excluded = findExcludedUsers(execution, approval, buildApprovalSubject(execution, found));
  if (command.actor.type !== 'user' || !isCandidate(approval, command.actor)) {
    execution.refuse('not_a_candidate', 'Only candidates can delegate.');
    return;
  }
  if (execution.context.isReplay !== true && Object.hasOwn(excluded, command.actor.id)) {
    execution.refuse('self_approval', 'You may not vote on this approval, so you cannot delegate it.');
    return;
  }
  if (execution.context.isReplay !== true && hasVoted(approval, command.actor)) {
    execution.refuse('already_voted', 'Your vote on this approval has already been cast, by you or in your place.');
    return;
  }
  const fromNames = findCandidateNames(approval, command.actor);
  const fromNamesField = fromNames.length === 0 ? {} : { fromNames };
  const delegation = { from: command.actor.id, ...fromNamesField, to: command.to, until: command.until };
  const delegations = [...approval.delegations.filter((each) => each.from !== delegation.from), delegation];
  updateApproval(execution, found, { ...approval, delegations }, 'approval.delegated', {
    actor: { ...toRecordedActor(command.actor) },
    ...(fromNames.length === 0 ? {} : { askedAs: [...fromNames] }),
    to: command.to,
    until: command.until === null ? null : new Date(command.until).toISOString(),
  });
}

/**
 * Replaces the candidates on behalf of an administrator. Cast votes are kept, together with the delegations that they
 * used.
 */
export function reassign(execution: Execution, command: ReassignCommand): void {
  const found = findApprovalOrRefuse(execution, command.approvalId);
  if (found === undefined) return;
  const { approval } = found;
  const { actor } = command;
  // An administrator who was already a candidate gains nothing by reassigning.
  const assignerId = getResponsiblePersonId(actor);
  const isNewAssigner =
    assignerId !== undefined &&
    !(actor.type === 'user' && isCandidate(approval, actor)) &&
    approval.assignedBy?.includes(assignerId) !== true;
  const candidates = {
    candidateUsers: command.candidateUsers,
    candidateGroups: command.candidateGroups,
    ...(isNewAssigner ? { assignedBy: [...(approval.assignedBy ?? []), assignerId] } : {}),
  };
  updateApproval(
    execution,
    found,
    { ...approval, ...candidates, delegations: approval.delegations.filter((each) => each.voteId !== undefined) },
    'approval.reassigned',
    {
      actor: { ...toRecordedActor(command.actor) },
      candidateUsers: [...command.candidateUsers],
      candidateGroups: [...command.candidateGroups],
      comment: command.comment,
    },
  );
}

function findApprovalOrRefuse(execution: Execution, approvalId: string): FoundApproval | undefined {
  const found = findApproval(execution, approvalId);
  if (found === undefined) {
    execution.refuse('approval_already_resolved', 'This approval is no longer pending.');
  }
  return found;
}

function updateApproval<K extends 'approval.delegated' | 'approval.reassigned'>(
  execution: Execution,
  found: FoundApproval,
  approval: PendingApproval,
  event: K,
  privateData: RunEventMap[K]['private'],
): void {
  const { instance } = found;
  replaceApproval(execution, instance, approval);
  changeApproval(execution, approval, 'pending', null);
  const record = buildApprovalRecord(execution, instance, approval, buildApprovalSubject(execution, found));
  execution.request({ type: 'approval.exclude', approvalId: approval.approvalId, excluded: record.excluded });
  execution.emit(event, instance, { approvalId: approval.approvalId, round: approval.round }, privateData);
  execution.approval = record;
}
