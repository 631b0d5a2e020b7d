import type { RunEventMap } from '@countersign/model';
import { withdrawApproval } from '../approvals/withdraw-approval.js';
import type { FoundCallApproval } from '../approvals/find-approval.js';
import type { Execution } from '../execution.js';
import { closeWaits } from '../steps.js';

/** Withdraws the approval of a call. The caller decides how the call continues. */
export function withdrawCallApproval(
  execution: Execution,
  { instance, approval }: FoundCallApproval,
  reason: 'subject_changed' | 'run_migrated' | 'edited',
  by: RunEventMap['approval.withdrawn']['private'] = null,
): void {
  withdrawApproval(execution, instance, approval, reason, by);
  closeApprovalWait(execution, instance.key, approval.approvalId);
}

/** Closes the wait for an approval. */
export function closeApprovalWait(execution: Execution, key: number, approvalId: string): void {
  closeWaits(
    execution,
    execution.get(key),
    (wait) => wait.kind === 'approval' && wait.approval.approvalId === approvalId,
  );
}
