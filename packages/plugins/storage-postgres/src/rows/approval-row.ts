import type { ApprovalRecord } from '@countersign/model';
import { toVote, type VoteRow } from './vote-row.js';

/** Row of `approvals`. */
export interface ApprovalRow {
  readonly approval_id: string;
  readonly run_id: string;
  readonly workflow_id: string;
  readonly workflow_version: number;
  readonly step_id: string;
  readonly element_id: string;
  readonly business_key: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly status: ApprovalRecord['status'];
  readonly round: number;
  readonly previous_approval_id: string | null;
  readonly requested_at: number;
  readonly requested_by: string;
  readonly due_at: number | null;
  readonly resolved_at: number | null;
  readonly resolved_by: ApprovalRecord['resolvedBy'];
  readonly candidate_users: string[];
  readonly candidate_groups: string[];
  readonly delegations: ApprovalRecord['delegations'];
  readonly quorum: number;
  readonly priority: number;
  readonly separation_of_duties: ApprovalRecord['separationOfDuties'];
  readonly excluded: Record<string, string>;
  readonly risk_level: ApprovalRecord['riskLevel'];
  readonly risk_factors: ApprovalRecord['riskFactors'];
  readonly rationale: string;
  readonly subject: ApprovalRecord['subject'];
  readonly digest: string;
  readonly signature_required: boolean;
}

/** Columns that lists sort by and show. */
export const APPROVAL_COLUMNS: readonly string[] = Object.freeze([
  'approval_id',
  'run_id',
  'workflow_id',
  'workflow_version',
  'step_id',
  'element_id',
  'business_key',
  'title',
  'description',
  'status',
  'round',
  'previous_approval_id',
  'requested_at',
  'requested_by',
  'due_at',
  'resolved_at',
  'resolved_by',
  'candidate_users',
  'candidate_groups',
  'delegations',
  'quorum',
  'priority',
  'separation_of_duties',
  'excluded',
  'risk_level',
  'risk_rank',
  'risk_factors',
  'rationale',
  'subject',
  'digest',
  'signature_required',
]);

/** Columns of lists that do not show the subject. */
export const LISTED_APPROVAL_COLUMNS: readonly string[] = Object.freeze([
  ...APPROVAL_COLUMNS.filter((column) => column !== 'subject'),
  'summary',
  'outline',
]);

export function toApproval(row: ApprovalRow, votes: readonly VoteRow[]): ApprovalRecord {
  return { ...toApprovalWithoutSubject(row, votes), subject: row.subject };
}

export function toApprovalWithoutSubject(
  row: Omit<ApprovalRow, 'subject'>,
  votes: readonly VoteRow[],
): Omit<ApprovalRecord, 'subject'> {
  return {
    approvalId: row.approval_id,
    runId: row.run_id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    stepId: row.step_id,
    elementId: row.element_id,
    businessKey: row.business_key,
    title: row.title,
    description: row.description,
    status: row.status,
    round: row.round,
    previousApprovalId: row.previous_approval_id,
    requestedAt: row.requested_at,
    requestedBy: row.requested_by,
    dueAt: row.due_at,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    candidateUsers: row.candidate_users,
    candidateGroups: row.candidate_groups,
    delegations: row.delegations,
    quorum: row.quorum,
    priority: row.priority,
    separationOfDuties: row.separation_of_duties,
    excluded: row.excluded,
    riskLevel: row.risk_level,
    riskFactors: row.risk_factors,
    rationale: row.rationale,
    digest: row.digest,
    requireSignature: row.signature_required,
    votes: votes.map(toVote),
  };
}
