import { countApprovals, type Absence, type ApprovalStatus, type RiskLevel } from '@countersign/model';
import type { ListedApproval } from '../../ports/records.js';
import type { ReadContext } from '../caller.js';
import { describeForReader, toVoteViews, type ReaderView, type SubjectView } from './approval-view.js';
import { toTimestamp, toTimestampOrNull } from './to-json-response.js';

type OutlineView<Subject extends SubjectView> = Pick<
  Subject,
  'kind' | 'evidence' | Extract<keyof Subject, 'tool' | 'effect' | 'reversible' | 'hosts'>
>;

/** An approval as an item of the inbox, without the inputs of its subject. */
export type InboxItemView = ReaderView & {
  approvalId: string;
  runId: string;
  workflowId: string;
  elementId: string;
  title: string;
  summary: string;
  businessKey: string | null;
  status: ApprovalStatus;
  round: number;
  requestedAt: string;
  requestedBy: string;
  dueAt: string | null;
  resolvedAt: string | null;
  candidateUsers: string[];
  candidateGroups: string[];
  quorum: { required: number; approvals: number };
  signatureRequired: boolean;
  riskLevel: RiskLevel;
  subject:
    OutlineView<Extract<SubjectView, { kind: 'user_task' }>> | OutlineView<Extract<SubjectView, { kind: 'tool_call' }>>;
  digest: string;
};

/** @param absences the current absences of possible candidates */
export function toInboxItemView(
  approval: ListedApproval,
  viewer: ReadContext,
  now: number,
  absences: readonly Absence[],
): InboxItemView {
  return {
    approvalId: approval.approvalId,
    runId: approval.runId,
    workflowId: approval.workflowId,
    elementId: approval.elementId,
    title: approval.title,
    summary: approval.summary,
    businessKey: approval.businessKey ?? null,
    status: approval.status,
    round: approval.round,
    requestedAt: toTimestamp(approval.requestedAt),
    requestedBy: approval.requestedBy,
    dueAt: toTimestampOrNull(approval.dueAt),
    resolvedAt: toTimestampOrNull(approval.resolvedAt),
    candidateUsers: [...approval.candidateUsers],
    candidateGroups: [...approval.candidateGroups],
    quorum: { required: approval.quorum, approvals: countApprovals(toVoteViews(approval)) },
    signatureRequired: approval.requireSignature ?? false,
    riskLevel: approval.riskLevel,
    subject: approval.subject as InboxItemView['subject'],
    digest: approval.digest,
    ...describeForReader(approval, viewer, now, absences),
  };
}
