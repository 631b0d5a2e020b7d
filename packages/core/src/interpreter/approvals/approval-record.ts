import type { ApprovalRecord } from '../../domain/advance-result.js';
import type { ApprovalSubject, ElementInstance, PendingApproval } from '../../domain/run-state.js';
import type { Execution } from '../execution.js';
import { excludedFrom } from './separation-of-duties.js';

/** A pending approval as the world sees it. */
export function approvalRecord(
  execution: Execution,
  instance: ElementInstance,
  approval: PendingApproval,
  subject: ApprovalSubject,
): ApprovalRecord {
  const { state } = execution;
  return {
    ...approval,
    runId: state.runId,
    workflowId: state.workflowId,
    workflowVersion: state.workflowVersion,
    stepId: instance.stepId,
    elementId: instance.elementId,
    requestedBy: state.startedBy,
    status: 'pending',
    resolvedAt: null,
    resolvedBy: null,
    excluded: excludedFrom(state, approval, subject),
    subject,
  };
}
