import type { Approval, Decision } from '@countersign/contract';

/** What is missing before a decision can be sent. */
export interface DecisionRequirements {
  readonly commentMissing: boolean;
  /** Evidence that must be opened first. */
  readonly unopened: readonly string[];
  /** Whether the user must confirm. */
  readonly confirm: boolean;
}

/** Returns the key of a piece of evidence. It includes the digest, so another version counts as unopened. */
export function evidenceKey({ name, sha256 }: Approval['subject']['evidence'][number]): string {
  return `${sha256 ?? ''} ${name}`;
}

/** Returns whether the risk is so high that approving takes more than a click. */
export function isHighRisk({ riskLevel }: Pick<Approval, 'riskLevel'>): boolean {
  return riskLevel === 'high' || riskLevel === 'critical';
}

/**
 * Returns the pinned evidence that was not opened.
 *
 * @param opened keys of opened evidence
 */
export function findUnopenedEvidence(
  { evidence }: Pick<Approval['subject'], 'evidence'>,
  opened: ReadonlySet<string>,
): Approval['subject']['evidence'] {
  return evidence.filter((each) => each.sha256 !== null && !opened.has(evidenceKey(each)));
}

/**
 * Returns what a decision still needs. Only approving at high risk takes more than a click; rejecting is always easy.
 *
 * @param opened keys of evidence
 */
export function getDecisionRequirements(
  approval: Pick<Approval, 'riskLevel' | 'subject'>,
  decision: Decision,
  comment: string,
  opened: ReadonlySet<string>,
): DecisionRequirements {
  const { subject } = approval;
  const strict = decision === 'approve' && isHighRisk(approval);
  return {
    commentMissing: decision === 'request_changes' && comment.trim() === '',
    unopened: strict ? findUnopenedEvidence(subject, opened).map(({ name }) => name) : [],
    confirm: strict,
  };
}
