import type { Approval } from '@countersign/contract';
import { formFor, type FormDraft } from './form-draft.js';

/** What was written, and of what. */
export interface KeptDraft {
  readonly approvalId: string;
  readonly round: number;
  readonly subjectDigest: string;
  readonly form: FormDraft;
}

/** Keeps what is written over restarts, on this device. */
export interface DraftHost {
  load(): Promise<readonly KeptDraft[]>;
  /** @param form `undefined`: nothing is kept of it any more */
  save(approval: Pick<Approval, 'approvalId' | 'round' | 'digest'>, form: FormDraft | undefined): void;
}

/** Why a draft is shown beside the form rather than in it. `over`: nobody is asked any more, or this person is not. */
export type StaleReason = 'changed' | 'over' | 'offline';

/** Whether it was written about exactly what is shown. */
export function isAbout(
  { approvalId, round, subjectDigest }: KeptDraft,
  approval: Pick<Approval, 'approvalId' | 'round' | 'digest'>,
): boolean {
  return approvalId === approval.approvalId && round === approval.round && subjectDigest === approval.digest;
}

/** What was written about an approval, or about what it was before it changed. */
export function draftBefore(
  kept: ReadonlyMap<string, KeptDraft>,
  { approvalId, previousApprovalId }: Pick<Approval, 'approvalId' | 'previousApprovalId'>,
): KeptDraft | undefined {
  return kept.get(approvalId) ?? (previousApprovalId === null ? undefined : kept.get(previousApprovalId));
}

/** Whether somebody has written anything into it: a form that was only opened is not worth keeping. */
export function hasWords(form: FormDraft, { subject }: Partial<Pick<Approval, 'subject'>>): boolean {
  return (
    form.comment.trim() !== '' ||
    (form.argumentsText !== '' &&
      (subject === undefined || form.argumentsText !== formFor('edit', { subject }).argumentsText))
  );
}
