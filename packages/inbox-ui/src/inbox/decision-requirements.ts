import type { Approval, Decision } from '@countersign/contract';

/** Requirements that must be met before a decision can be sent. */
export interface DecisionRequirements {
  readonly commentMissing: boolean;
  /** Names of the evidence that must be opened first. */
  readonly unopenedEvidence: readonly string[];
  /** Whether the user must confirm the decision. */
  readonly needsConfirmation: boolean;
}

/** Returns the key of a piece of evidence. It includes the digest, so another version counts as unopened. */
export function getEvidenceKey({ name, sha256 }: Approval['subject']['evidence'][number]): string {
  return `${sha256 ?? ''} ${name}`;
}

/** Returns the key under which it is recorded that the whole subject of an approval was in view. */
export function getSubjectKey({ approvalId, digest }: Pick<Approval, 'approvalId' | 'digest'>): string {
  return `${digest} ${approvalId} subject`;
}

/** Returns whether the risk is so high that an approval requires opened evidence and a confirmation. */
export function isHighRisk({ riskLevel }: Pick<Approval, 'riskLevel'>): boolean {
  return riskLevel === 'high' || riskLevel === 'critical';
}

/**
 * Returns the pinned evidence that was not opened.
 *
 * @param openedKeys keys of opened evidence
 */
export function findUnopenedEvidence(
  { evidence }: Pick<Approval['subject'], 'evidence'>,
  openedKeys: ReadonlySet<string>,
): Approval['subject']['evidence'] {
  return evidence.filter((each) => each.sha256 !== null && !openedKeys.has(getEvidenceKey(each)));
}

/**
 * Returns the unmet requirements of a decision. Only an approval at high risk requires opened evidence and a
 * confirmation; a rejection never does.
 *
 * @param openedKeys keys of opened evidence
 */
export function getDecisionRequirements(
  approval: Pick<Approval, 'riskLevel' | 'subject'>,
  decision: Decision,
  comment: string,
  openedKeys: ReadonlySet<string>,
): DecisionRequirements {
  const { subject } = approval;
  const isHighRiskApproval = decision === 'approve' && isHighRisk(approval);
  return {
    commentMissing: decision === 'request_changes' && comment.trim() === '',
    unopenedEvidence: isHighRiskApproval ? findUnopenedEvidence(subject, openedKeys).map(({ name }) => name) : [],
    needsConfirmation: isHighRiskApproval,
  };
}
