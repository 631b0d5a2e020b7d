import type { ElementInstance } from '../../domain/run-state.js';
import type { Execution } from '../execution.js';
import { approvalWaitOf } from '../steps.js';
import { changeApproval } from './change-approval.js';

/** Withdraws the pending approval of an instance, where it has one. */
export function withdrawApproval(execution: Execution, instance: ElementInstance, reason: string): void {
  const wait = approvalWaitOf(instance);
  if (wait === undefined) return;
  const { approvalId, round } = wait.approval;
  changeApproval(execution, wait.approval, 'withdrawn', null);
  execution.emit('approval.withdrawn', instance, { approvalId, round, reason });
}
