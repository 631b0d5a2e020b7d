import type { ApprovalRecord, ApprovalSubject, ElementInstance, PendingApproval } from '@countersign/model';
import type { Execution } from '../execution.js';
import { findExcludedUsers } from './find-excluded-users.js';

/**
 * Returns a pending approval as stored outside the run's state. Copies field by field, because spreading so many fields
 * is many times slower; the `Required` return type ensures that no field is missing.
 */
export function buildApprovalRecord(
  execution: Execution,
  instance: ElementInstance,
  approval: PendingApproval,
  subject: ApprovalSubject,
): Required<ApprovalRecord> {
  const { state } = execution;
  return {
    approvalId: approval.approvalId,
    title: approval.title,
    description: approval.description,
    round: approval.round,
    previousApprovalId: approval.previousApprovalId,
    requestedAt: approval.requestedAt,
    dueAt: approval.dueAt,
    candidateUsers: approval.candidateUsers,
    candidateGroups: approval.candidateGroups,
    delegations: approval.delegations,
    quorum: approval.quorum,
    priority: approval.priority,
    separationOfDuties: approval.separationOfDuties,
    assignedBy: approval.assignedBy ?? [],
    riskLevel: approval.riskLevel,
    riskFactors: approval.riskFactors,
    rationale: approval.rationale,
    votes: approval.votes,
    digest: approval.digest,
    requireSignature: approval.requireSignature ?? false,
    requireDigest: approval.requireDigest ?? false,
    runId: state.runId,
    workflowId: state.workflowId,
    workflowVersion: state.workflowVersion,
    stepId: instance.stepId,
    elementId: instance.elementId,
    businessKey: state.businessKey,
    requestedBy: state.startedBy,
    status: 'pending',
    resolvedAt: null,
    resolvedBy: null,
    excluded: findExcludedUsers(execution, approval, subject),
    subject,
  };
}
