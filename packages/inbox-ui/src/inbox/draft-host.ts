import type { Approval } from '@countersign/contract';
import { formFor, type FormDraft } from './form-draft.js';

/** A stored draft and the approval round that it was written about. */
export interface KeptDraft {
  readonly approvalId: string;
  readonly round: number;
  readonly subjectDigest: string;
  readonly form: FormDraft;
}

/** Stores drafts across restarts, on this device. */
export interface DraftHost {
  load(): Promise<readonly KeptDraft[]>;
  /** @param form `undefined` deletes the draft */
  save(approval: Pick<Approval, 'approvalId' | 'round' | 'digest'>, form: FormDraft | undefined): void;
}

/**
 * Why a draft is displayed next to the form instead of in it. `over`: the approval is closed, or this user can no
 * longer vote.
 */
export type StaleReason = 'changed' | 'over' | 'offline';

/** Returns whether the draft was written about exactly the displayed round and digest. */
export function isAbout(
  { approvalId, round, subjectDigest }: KeptDraft,
  approval: Pick<Approval, 'approvalId' | 'round' | 'digest'>,
): boolean {
  return approvalId === approval.approvalId && round === approval.round && subjectDigest === approval.digest;
}

/** Returns the stored draft of this approval, or of the approval before it. */
export function draftBefore(
  kept: ReadonlyMap<string, KeptDraft>,
  { approvalId, previousApprovalId }: Pick<Approval, 'approvalId' | 'previousApprovalId'>,
): KeptDraft | undefined {
  return kept.get(approvalId) ?? (previousApprovalId === null ? undefined : kept.get(previousApprovalId));
}

/** Returns whether the user has entered text or changes: a form that was only opened is not worth storing. */
export function hasWords(form: FormDraft, { subject }: Partial<Pick<Approval, 'subject'>>): boolean {
  return (
    form.comment.trim() !== '' ||
    (form.argumentsText !== '' &&
      (subject === undefined || form.argumentsText !== formFor('edit', { subject }).argumentsText))
  );
}
