import type {
  Actor,
  ApprovalChange,
  ApprovalDecision,
  ApprovalStatus,
  ElementInstance,
  PendingApproval,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { changeApproval } from './change-approval.js';

const STATUS_BY_DECISION: Record<ApprovalDecision, ApprovalStatus> = {
  approve: 'approved',
  reject: 'rejected',
  request_changes: 'changes_requested',
};

export interface Resolution {
  readonly decision: ApprovalDecision;
  readonly comment: string | null;
  readonly actor: Actor;
}

/** Sends the resolution of an approval to the engine and records it in the history. */
export function recordResolution(
  execution: Execution,
  instance: ElementInstance,
  approval: PendingApproval,
  { decision, actor }: Resolution,
  status: ApprovalStatus = STATUS_BY_DECISION[decision],
): ApprovalChange {
  const { approvalId, round, digest } = approval;
  const change = changeApproval(execution, approval, status, actor);
  execution.emit('approval.resolved', instance, { approvalId, round, status, decision, digest });
  return change;
}
