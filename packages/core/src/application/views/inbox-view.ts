import { countApprovals, type Absence } from '@countersign/model';
import type { ListedApproval } from '../../ports/records.js';
import type { ReadContext } from '../caller.js';
import {
  describeForReader,
  toVoteViews,
  type ApprovalView,
  type ReaderView,
  type SubjectView,
} from './approval-view.js';
import { toTimestamp, toTimestampOrNull } from './to-json-response.js';

type UserTaskView = Extract<SubjectView, { kind: 'user_task' }>;
type ToolCallView = Extract<SubjectView, { kind: 'tool_call' }>;

/** An approval as an item of the inbox, without the inputs of its subject. */
export type InboxItemView = Pick<
  ApprovalView,
  | 'approvalId'
  | 'previousApprovalId'
  | 'runId'
  | 'workflowId'
  | 'elementId'
  | 'title'
  | 'summary'
  | 'businessKey'
  | 'status'
  | 'round'
  | 'requestedAt'
  | 'requestedBy'
  | 'dueAt'
  | 'resolvedAt'
  | 'candidateUsers'
  | 'candidateGroups'
  | 'quorum'
  | 'signatureRequired'
  | 'riskLevel'
  | 'digest'
  | keyof ReaderView
> & {
  comments: { count: number; lastAt: string | null; lastByOthersAt: string | null };
  subject:
    | Pick<UserTaskView, 'kind' | 'evidence'>
    | Pick<ToolCallView, 'kind' | 'evidence' | 'tool' | 'effect' | 'reversible' | 'hosts'>;
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
    previousApprovalId: approval.previousApprovalId,
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
    comments: {
      count: approval.comments.count,
      lastAt: toTimestampOrNull(approval.comments.lastAt),
      lastByOthersAt: toTimestampOrNull(approval.comments.lastByOthersAt),
    },
    ...describeForReader(approval, viewer, now, absences),
  };
}
