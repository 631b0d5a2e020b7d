import {
  type Actor,
  type ApprovalChange,
  type ApprovalStatus,
  type PendingApproval,
  toRecordedActor,
} from '@countersign/model';
import type { Execution } from '../execution.js';

/** Requests that the engine update a stored approval. */
export function changeApproval(
  execution: Execution,
  approval: PendingApproval,
  status: ApprovalStatus,
  by: Actor | null,
): ApprovalChange {
  const change: ApprovalChange = {
    approvalId: approval.approvalId,
    status,
    resolvedAt: status === 'pending' ? null : execution.now,
    resolvedBy: by === null ? null : toRecordedActor(by),
    candidateUsers: approval.candidateUsers,
    candidateGroups: approval.candidateGroups,
    delegations: approval.delegations,
    votes: approval.votes,
  };
  execution.request({ type: 'approval.change', change });
  return change;
}
