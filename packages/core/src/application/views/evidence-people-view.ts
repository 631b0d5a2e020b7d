import { approvalsIn } from '@countersign/model';
import type { ApprovalInHistory, ArtifactInHistory, QuestionInHistory } from '@countersign/model/evidence';
import type { ApprovalRecord, QuestionRecord } from '../../ports/records.js';
import { approvalRecordView, type ApprovalRecordView, type VoteView } from './approval-view.js';
import type { ArtifactView } from './artifact-view.js';
import { timestamp, timestampOrNull } from './as-response.js';
import { questionView, type QuestionView } from './question-view.js';
import type { RunDetailView } from './run-detail-view.js';

/** Approval with people as named in the history; `null` if the private part that names them is missing. */
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
export type EvidenceRunView = Omit<RunDetailView, 'startedBy' | 'artifacts'> & {
  startedBy: string | null;
  artifacts: EvidenceArtifactView[];
};

/** Builds an approval from its events: the decisions, the voters and the candidates. */
export function evidenceApprovalView(
  record: ApprovalRecord,
  inHistory: ApprovalInHistory,
  startedBy: string | null,
): EvidenceApprovalView {
  return {
    ...approvalRecordView(record),
    status: inHistory.status,
    round: inHistory.round,
    requestedAt: timestamp(inHistory.requestedAt),
    requestedBy: startedBy,
    resolvedAt: timestampOrNull(inHistory.resolvedAt),
    resolvedBy: inHistory.resolvedBy,
    candidateUsers: [...inHistory.candidateUsers],
    candidateGroups: [...inHistory.candidateGroups],
    delegations: inHistory.delegations.map((delegation) => ({
      ...delegation,
      until: timestampOrNull(delegation.until),
    })),
    quorum: {
      required: inHistory.quorum,
      approvals: approvalsIn(inHistory.votes),
    },
    votes: inHistory.votes.map((vote) => ({ ...vote, at: timestamp(vote.at) })),
    digest: inHistory.digest,
  };
}

export function evidenceArtifactView(artifact: ArtifactInHistory): EvidenceArtifactView {
  return { ...artifact, createdAt: timestamp(artifact.createdAt) };
}

export function evidenceQuestionView(
  question: QuestionRecord,
  { status, answer, answeredBy, closedAt }: QuestionInHistory,
): QuestionView {
  return {
    ...questionView(question),
    status,
    answer,
    answeredBy: answeredBy?.id ?? null,
    answeredByName: answeredBy?.name ?? null,
    closedAt: timestampOrNull(closedAt),
  };
}
