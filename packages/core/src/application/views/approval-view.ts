import {
  toAbsentPerson,
  type Absence,
  type ApprovalDecision,
  type ApprovalRecord,
  countApprovals,
  type ApprovalStatus,
  findIneligibilityReasons,
  matchesName,
  type JsonObject,
  findUsableDelegation,
  isMachineId,
  type RiskFactor,
  type RiskLevel,
  type SubjectField,
  findUncountedVotes,
  summarizeSubject,
} from '@countersign/model';
import type { ShownEvidenceInHistory } from '@countersign/model/evidence';
import type { ReadContext } from '../caller.js';
import { toAbsenceSummaryView, type AbsenceSummaryView } from './absence-view.js';
import { toTimestamp, toTimestampOrNull } from './to-json-response.js';

export type VoteView = {
  voteId: string;
  decision: ApprovalDecision;
  comment: string | null;
  by: string;
  byName: string | null;
  inPlaceOf: string | null;
  at: string;
  digest: string;
  signature: string | null;
  keyId: string | null;
  shown?: ShownEvidenceInHistory[];
  counts?: false;
};

type SubjectBase = {
  runId: string;
  elementId: string;
  inputs: JsonObject;
  evidence: { name: string; version: number | null; sha256: string | null }[];
  definition: { workflowId: string; workflowVersion: number; digest: string };
};

export type SubjectView =
  | (SubjectBase & {
      kind: 'user_task';
      title?: string;
      summary?: string;
      fields?: Pick<SubjectField, keyof SubjectField>[];
    })
  | (SubjectBase & {
      kind: 'tool_call';
      callId: string;
      tool: string;
      toolDigest: string;
      effect: 'read' | 'write';
      reversible: boolean;
      hosts: string[];
      taint: string[];
      agent: { name: string; definitionDigest: string };
      editedBy: string | null;
      policy: { id: string; digest: string };
    });

/** Approval without the fields that depend on the reader, for evidence. */
export type ApprovalRecordView = {
  approvalId: string;
  previousApprovalId: string | null;
  runId: string;
  workflowId: string;
  workflowVersion: number;
  stepId: string;
  elementId: string;
  title: string;
  description: string | null;
  status: ApprovalStatus;
  round: number;
  requestedAt: string;
  requestedBy: string;
  dueAt: string | null;
  resolvedAt: string | null;
  resolvedBy: string | null;
  candidateUsers: string[];
  candidateGroups: string[];
  delegations: { from: string; to: string; until: string | null; voteId: string | null; absenceId: string | null }[];
  quorum: { required: number; approvals: number };
  signatureRequired: boolean;
  votes: VoteView[];
  riskLevel: RiskLevel;
  riskFactors: RiskFactor[];
  rationale: string | null;
  subject: SubjectView;
  digest: string;
};

/** What an approval means for its reader. */
export type ReaderView = {
  votedByCaller: boolean;
  inPlaceOf: string | null;
  canDecide: { allowed: boolean; reasons: string[] };
};

export type ApprovalView = ApprovalRecordView &
  ReaderView & {
    businessKey: string | null;
    summary: string;
    absences: AbsenceSummaryView[];
    excludedUsers: string[];
    /** Decisions for which every vote would be refused, with the error code. */
    unavailableDecisions?: { decision: ApprovalDecision; reason: string }[];
  };

export function toApprovalRecordView(approval: ApprovalRecord): ApprovalRecordView {
  const { subject } = approval;
  const votes = toVoteViews(approval);
  return {
    approvalId: approval.approvalId,
    previousApprovalId: approval.previousApprovalId,
    runId: approval.runId,
    workflowId: approval.workflowId,
    workflowVersion: approval.workflowVersion,
    stepId: approval.stepId,
    elementId: approval.elementId,
    // The digest covers the title in the subject, but not the column, by which lists are searched.
    title: (subject.kind === 'user_task' ? subject.title : undefined) ?? approval.title,
    description: approval.description,
    status: approval.status,
    round: approval.round,
    requestedAt: toTimestamp(approval.requestedAt),
    requestedBy: approval.requestedBy,
    dueAt: toTimestampOrNull(approval.dueAt),
    resolvedAt: toTimestampOrNull(approval.resolvedAt),
    resolvedBy: findResolver(approval),
    candidateUsers: [...approval.candidateUsers],
    candidateGroups: [...approval.candidateGroups],
    delegations: approval.delegations.map(({ from, to, until, voteId = null, absenceId = null }) => ({
      from,
      to,
      until: toTimestampOrNull(until),
      voteId,
      absenceId,
    })),
    quorum: { required: approval.quorum, approvals: countApprovals(votes) },
    signatureRequired: approval.requireSignature ?? false,
    votes,
    riskLevel: approval.riskLevel,
    riskFactors: approval.riskFactors.map((factor) => ({ ...factor })),
    rationale: approval.rationale,
    // Not copied: views are only serialized, and copying would dominate the cost of a list of approvals.
    subject: subject as unknown as ApprovalRecordView['subject'],
    digest: approval.digest,
  };
}

/**
 * Returns the votes. In a pending approval, a vote no longer counts once its voter is excluded for contributing. In a
 * resolved approval, the recorded `counts` is final.
 */
export function toVoteViews(approval: Omit<ApprovalRecord, 'subject'>): VoteView[] {
  const uncountedVoteIds = approval.status === 'pending' ? findUncountedVotes(approval, approval.excluded) : [];
  return approval.votes.map(
    ({ voteId, decision, comment, by, byName, askedAs, at, digest, signature, shown, counts }) => ({
      voteId,
      decision,
      comment,
      by,
      byName,
      ...(askedAs === undefined ? {} : { askedAs: [...askedAs] }),
      inPlaceOf: approval.delegations.find((delegation) => delegation.voteId === voteId)?.from ?? null,
      at: toTimestamp(at),
      digest,
      signature: signature?.jws ?? null,
      keyId: signature?.keyId ?? null,
      ...(shown === undefined ? {} : { shown: shown.map((each) => ({ ...each })) }),
      ...(counts === false || uncountedVoteIds.includes(voteId) ? { counts: false as const } : {}),
    }),
  );
}

/**
 * Builds the view of an approval, including whether the reader may vote on it now.
 *
 * @param absences the current absences of possible candidates
 */
export function toApprovalView(
  approval: ApprovalRecord,
  viewer: ReadContext,
  now: number,
  absences: readonly Absence[],
): ApprovalView {
  const namedApprovers = findNamedApprovers(approval);
  const { subject } = approval;
  return Object.assign(toApprovalRecordView(approval), {
    businessKey: approval.businessKey ?? null,
    summary: summarizeSubject(subject),
    absences: absences
      .filter((absence) => namedApprovers.some((name) => matchesName(toAbsentPerson(absence), name)))
      .map(toAbsenceSummaryView),
    excludedUsers: findExcludedPeople(approval),
    ...describeForReader(approval, viewer, now, absences),
  });
}

/** Returns the people who may not vote; none if the approval is resolved. */
function findExcludedPeople({ status, excluded }: Pick<ApprovalRecord, 'status' | 'excluded'>): string[] {
  return status === 'pending' ? Object.keys(excluded).filter((id) => !isMachineId(id)) : [];
}

/** Returns whether the reader has voted or may vote now, and in whose place. */
export function describeForReader(
  approval: Omit<ApprovalRecord, 'subject'>,
  viewer: ReadContext,
  now: number,
  absences: readonly Absence[],
): ReaderView {
  const reasons = findVoteBlockers(approval, viewer, now, absences);
  const allowed = reasons.length === 0;
  const usedDelegation = allowed
    ? findUsableDelegation(approval, approval.excluded, viewer.actor, now, absences)
    : undefined;
  return {
    votedByCaller: approval.votes.some(({ by }) => by === viewer.actor.id),
    inPlaceOf: usedDelegation?.from ?? null,
    canDecide: { allowed, reasons },
  };
}

/** What names the people who may vote on an approval. */
export type NamedApprovers = Pick<ApprovalRecord, 'status' | 'candidateUsers' | 'delegations'>;

/** Returns the user names whose absence affects an approval; none if the approval is resolved. */
export function findNamedApprovers({ status, candidateUsers, delegations }: NamedApprovers): string[] {
  return status === 'pending'
    ? [...candidateUsers, ...delegations.flatMap(({ to, voteId }) => (voteId === undefined ? [to] : []))]
    : [];
}

/** Returns the error codes with which a vote would be refused now. */
function findVoteBlockers(
  approval: Omit<ApprovalRecord, 'subject'>,
  viewer: ReadContext,
  now: number,
  absences: readonly Absence[],
): string[] {
  if (approval.status !== 'pending') return ['approval_already_resolved'];
  const reasons: string[] = viewer.mayDecide ? [] : ['forbidden'];
  return [...reasons, ...findIneligibilityReasons(approval, approval.excluded, viewer.actor, now, absences)];
}

/**
 * Returns the id of the actor who resolved an approval; `null` if it was withdrawn or expired, because no vote resolved
 * it.
 */
function findResolver({ status, resolvedBy: by }: ApprovalRecord): string | null {
  return status === 'withdrawn' || status === 'expired' ? null : (by?.id ?? null);
}
