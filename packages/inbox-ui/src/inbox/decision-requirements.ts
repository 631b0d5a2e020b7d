import type { Approval, Decision } from '@countersign/contract';

/** What a decision still needs before it may be sent. */
export interface DecisionRequirements {
  readonly commentMissing: boolean;
  /** Evidence that has to be opened first. */
  readonly unopened: readonly string[];
  /** Whether the person is asked once more. */
  readonly confirm: boolean;
}

/** How an opened piece of evidence is remembered: another version of it has not been opened. */
export function evidenceKey({ name, sha256 }: Approval['subject']['evidence'][number]): string {
  return `${sha256 ?? ''} ${name}`;
}

/** Whether the risk is so high that approving takes more than a click. */
export function isHighRisk({ riskLevel }: Pick<Approval, 'riskLevel'>): boolean {
  return riskLevel === 'high' || riskLevel === 'critical';
}

/** Returns the pinned evidence that was not opened. @param opened keys of opened evidence */
export function unopenedOf(
  { evidence }: Pick<Approval['subject'], 'evidence'>,
  opened: ReadonlySet<string>,
): Approval['subject']['evidence'] {
  return evidence.filter((each) => each.sha256 !== null && !opened.has(evidenceKey(each)));
}

/** Only to approve at high risk takes more than a click; to say no is always easy. @param opened keys of evidence */
export function requirementsFor(
  approval: Pick<Approval, 'riskLevel' | 'subject'>,
  decision: Decision,
  comment: string,
  opened: ReadonlySet<string>,
): DecisionRequirements {
  const { subject } = approval;
  const strict = decision === 'approve' && isHighRisk(approval);
  return {
    commentMissing: decision === 'request_changes' && comment.trim() === '',
    unopened: strict ? unopenedOf(subject, opened).map(({ name }) => name) : [],
    confirm: strict,
  };
}
