import type { Approval, Decision } from '@countersign/contract';

/** What a decision still needs before it may be sent. */
export interface Demands {
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

/** Only to approve at high risk takes more than a click; to say no is always easy. @param opened keys of evidence */
export function demandsOf({ riskLevel, subject }: Pick<Approval, 'riskLevel' | 'subject'>, decision: Decision, comment: string, opened: ReadonlySet<string>): Demands {
  const strict = decision === 'approve' && (riskLevel === 'high' || riskLevel === 'critical');
  return {
    commentMissing: decision === 'request_changes' && comment.trim() === '',
    unopened: strict ? subject.evidence.filter((each) => each.sha256 !== null && !opened.has(evidenceKey(each))).map(({ name }) => name) : [],
    confirm: strict,
  };
}
