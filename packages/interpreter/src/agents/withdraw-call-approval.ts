import type { RunEventMap } from '@countersign/model';
import { withdrawApproval } from '../approvals/withdraw-approval.js';
import type { FoundCall } from '../approvals/find-approval.js';
import type { Execution } from '../execution.js';
import { closeWaits } from '../steps.js';

/** Nobody is asked about this call in this form any more. What becomes of it is for the caller to say. */
export function withdrawCallApproval(
  execution: Execution,
  { instance, approval }: FoundCall,
  reason: 'subject_changed' | 'run_migrated' | 'edited',
  by: RunEventMap['approval.withdrawn']['private'] = null,
): void {
  withdrawApproval(execution, instance, approval, reason, by);
  removeApprovalWait(execution, instance.key, approval.approvalId);
}

/** The approval is waited for no more. */
export function removeApprovalWait(execution: Execution, key: number, approvalId: string): void {
  closeWaits(
    execution,
    execution.get(key),
    (wait) => wait.kind === 'approval' && wait.approval.approvalId === approvalId,
  );
}
