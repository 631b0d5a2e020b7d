import type { ElementInstance, PendingApproval, RunEventMap } from '@countersign/model';
import type { Execution } from '../execution.js';
import { changeApproval } from './change-approval.js';

/** Withdraws the pending approvals of an instance. */
export function withdrawApprovals(execution: Execution, instance: ElementInstance, reason: string): void {
  for (const wait of instance.waits ?? [])
    if (wait.kind === 'approval') withdrawApproval(execution, instance, wait.approval, reason);
}

/**
 * Marks the approval as withdrawn and emits the event. The caller must close the wait.
 *
 * @param by the person who caused the withdrawal, and their comment
 */
export function withdrawApproval(
  execution: Execution,
  instance: ElementInstance,
  approval: PendingApproval,
  reason: string,
  by: RunEventMap['approval.withdrawn']['private'] = null,
): void {
  const { approvalId, round } = approval;
  changeApproval(execution, approval, 'withdrawn', null);
  execution.emit('approval.withdrawn', instance, { approvalId, round, reason }, by);
}
