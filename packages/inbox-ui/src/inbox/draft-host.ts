import type { Approval } from '@countersign/contract';
import { buildFormDraft, type FormDraft } from './form-draft.js';

/** A stored draft and the approval round that it was written about. */
export interface StoredDraft {
  readonly approvalId: string;
  readonly round: number;
  readonly subjectDigest: string;
  readonly form: FormDraft;
}

/** Stores drafts across restarts, on this device. */
export interface DraftHost {
  load(): Promise<readonly StoredDraft[]>;
  /** @param form `undefined` deletes the draft */
  save(approval: Pick<Approval, 'approvalId' | 'round' | 'digest'>, form: FormDraft | undefined): void;
}

/**
 * Reason why a draft is displayed next to the form instead of in it. `over`: the approval is closed, or this user can
 * no longer vote.
 */
export type StaleReason = 'changed' | 'over' | 'offline';

/** Returns whether the draft was written about exactly the displayed round and digest. */
export function isDraftFor(
  { approvalId, round, subjectDigest }: StoredDraft,
  approval: Pick<Approval, 'approvalId' | 'round' | 'digest'>,
): boolean {
  return approvalId === approval.approvalId && round === approval.round && subjectDigest === approval.digest;
}

/** Returns the stored draft of this approval or, if there is none, of the approval of the previous round. */
export function findStoredDraft(
  storedDrafts: ReadonlyMap<string, StoredDraft>,
  { approvalId, previousApprovalId }: Pick<Approval, 'approvalId' | 'previousApprovalId'>,
): StoredDraft | undefined {
  return (
    storedDrafts.get(approvalId) ?? (previousApprovalId === null ? undefined : storedDrafts.get(previousApprovalId))
  );
}

/** Returns whether the user has entered a comment or edited the arguments. Other forms are not stored. */
export function hasContent(form: FormDraft, { subject }: Partial<Pick<Approval, 'subject'>>): boolean {
  return (
    form.comment.trim() !== '' ||
    (form.argumentsText !== '' &&
      (subject === undefined || form.argumentsText !== buildFormDraft('edit', { subject }).argumentsText))
  );
}
