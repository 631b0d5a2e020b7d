import { countApprovals } from '@countersign/model';
import type { ApprovalInHistory, ArtifactInHistory, QuestionInHistory } from '@countersign/model/evidence';
import type { ApprovalRecord, QuestionRecord } from '../../ports/records.js';
import { toApprovalRecordView, type ApprovalRecordView, type VoteView } from './approval-view.js';
import type { ArtifactView } from './artifact-view.js';
import { toTimestamp, toTimestampOrNull } from './to-json-response.js';
import { toQuestionView, type QuestionView } from './question-view.js';
import type { RunDetailView } from './run-detail-view.js';

/**
 * An approval with the people that the events name. A person is `null` if the private part of the event, which contains
 * the name, is missing, for example because it was erased.
 */
export type EvidenceApprovalView = Omit<ApprovalRecordView, 'requestedBy' | 'votes' | 'delegations'> & {
  requestedBy: string | null;
  votes: (Omit<VoteView, 'by'> & { by: string | null })[];
  delegations: {
    from: string | null;
    to: string | null;
    until: string | null;
    voteId: string | null;
    absenceId: string | null;
  }[];
};
export type EvidenceArtifactView = Omit<ArtifactView, 'createdBy' | 'name' | 'contentType'> & {
  createdBy: string | null;
  name: string | null;
  contentType: string | null;
};
export type EvidenceRunView = Omit<RunDetailView, 'engine' | 'startedBy' | 'artifacts'> & {
  startedBy: string | null;
  artifacts: EvidenceArtifactView[];
};

/**
 * Builds the view of an approval for evidence packs, with its status, votes, delegations and candidates from the
 * history.
 */
export function toEvidenceApprovalView(
  record: ApprovalRecord,
  approvalInHistory: ApprovalInHistory,
  startedBy: string | null,
): EvidenceApprovalView {
  return {
    ...toApprovalRecordView(record),
    status: approvalInHistory.status,
    round: approvalInHistory.round,
    requestedAt: toTimestamp(approvalInHistory.requestedAt),
    requestedBy: startedBy,
    resolvedAt: toTimestampOrNull(approvalInHistory.resolvedAt),
    resolvedBy: approvalInHistory.resolvedBy,
    candidateUsers: [...approvalInHistory.candidateUsers],
    candidateGroups: [...approvalInHistory.candidateGroups],
    delegations: approvalInHistory.delegations.map((delegation) => ({
      ...delegation,
      until: toTimestampOrNull(delegation.until),
    })),
    quorum: {
      required: approvalInHistory.quorum,
      approvals: countApprovals(approvalInHistory.votes),
    },
    votes: approvalInHistory.votes.map((vote) => ({ ...vote, at: toTimestamp(vote.at) })),
    digest: approvalInHistory.digest,
  };
}

export function toEvidenceArtifactView(artifact: ArtifactInHistory): EvidenceArtifactView {
  return { ...artifact, createdAt: toTimestamp(artifact.createdAt) };
}

export function toEvidenceQuestionView(
  question: QuestionRecord,
  { status, answer, answeredBy, closedAt }: QuestionInHistory,
): QuestionView {
  return {
    ...toQuestionView(question),
    status,
    answer,
    answeredBy: answeredBy?.id ?? null,
    answeredByName: answeredBy?.name ?? null,
    closedAt: toTimestampOrNull(closedAt),
  };
}
