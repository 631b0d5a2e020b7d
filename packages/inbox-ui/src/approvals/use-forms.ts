import type { Approval } from '@countersign/contract';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import {
  findStoredDraft,
  buildFormDraft,
  hasContent,
  isDraftFor,
  useInboxHost,
  type VotedApproval,
  type FormDraft,
  type StoredDraft,
  type StaleReason,
} from '../inbox/index.js';
import { getFormStore } from './form-store.js';

/** Earlier text that cannot be put into the form. */
export interface StaleDraft {
  readonly reason: StaleReason;
  readonly form: FormDraft;
  /** Omitted while offline: the text can still be used when the server responds again. */
  discard?(): void;
  /**
   * Puts the text into a form of the displayed approval, without deciding it. Omitted if the text cannot be reused now.
   */
  reuse?(): void;
}

interface Forms {
  get(approvalId: string | undefined): FormDraft | undefined;
  set(approval: VotedApproval, form: FormDraft | undefined): void;
  /** Closes the form when its vote is sent. The text is kept until the vote counts. */
  close(approval: VotedApproval): void;
  getStaleDraft(approval: Approval | undefined): StaleDraft | undefined;
}

interface FormsOptions {
  /** The displayed approval. */
  readonly current: Approval | undefined;
  /** Returns whether this form may be open for the displayed approval now. */
  canOpen(form: FormDraft): boolean;
  /** Returns whether a vote on the approval is pending. */
  hasPendingVote(approvalId: string): boolean;
}

const withoutKey = <T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> =>
  new Map([...map].filter(([each]) => each !== key));

/**
 * Manages decision forms, each as the user left it. A stored draft opens only if it was written about exactly the
 * displayed subject and round.
 */
export function useForms({ current, canOpen, hasPendingVote }: FormsOptions): Forms {
  const { drafts, offline } = useInboxHost();
  const store = getFormStore(useClient());
  const forms = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const [storedDrafts, setStoredDrafts] = useState<ReadonlyMap<string, StoredDraft>>(new Map());
  useEffect(() => {
    let isUnmounted = false;
    void drafts
      ?.load()
      .then((loaded) => !isUnmounted && setStoredDrafts(new Map(loaded.map((each) => [each.approvalId, each]))));
    return () => {
      isUnmounted = true;
    };
  }, [drafts]);
  /** Removes the loaded draft, because the form now contains the text. */
  const dropStoredDraft = useCallback((approval: VotedApproval): void => {
    setStoredDrafts((map) => {
      const draft = map.get(approval.approvalId);
      return draft !== undefined && isDraftFor(draft, approval) ? withoutKey(map, approval.approvalId) : map;
    });
  }, []);
  const close = useCallback(
    (approval: VotedApproval): void => {
      dropStoredDraft(approval);
      store.set(approval.approvalId, undefined);
    },
    [dropStoredDraft, store],
  );
  const set = useCallback(
    (approval: VotedApproval, form: FormDraft | undefined): void => {
      drafts?.save(approval, form !== undefined && hasContent(form, approval) ? form : undefined);
      if (form === undefined) return close(approval);
      dropStoredDraft(approval);
      store.set(approval.approvalId, form);
    },
    [drafts, close, dropStoredDraft, store],
  );
  const storedDraft = current === undefined ? undefined : findStoredDraft(storedDrafts, current);
  const isForCurrent = current !== undefined && storedDraft !== undefined && isDraftFor(storedDraft, current);
  useEffect(() => {
    if (isForCurrent && !forms.has(current.approvalId) && canOpen(storedDraft.form)) set(current, storedDraft.form);
  });
  return {
    get: (approvalId) => (approvalId === undefined ? undefined : forms.get(approvalId)),
    set,
    close,
    getStaleDraft: (approval) => {
      if (approval === undefined) return undefined;
      const form = forms.get(approval.approvalId);
      if (offline === true && form !== undefined && hasContent(form, approval)) return { reason: 'offline', form };
      // If another user decided first, the form is closed and its text is kept.
      if (form !== undefined && !canOpen(form) && !hasPendingVote(approval.approvalId) && hasContent(form, approval))
        return { reason: 'over', form, discard: () => set(approval, undefined) };
      const previousId = approval.previousApprovalId;
      const previous = previousId === null ? undefined : forms.get(previousId);
      if (previousId !== null && previous !== undefined && previous.comment.trim() !== '') {
        const discard = (): void => store.set(previousId, undefined);
        const reopenedForm = { ...buildFormDraft(previous.act, approval), comment: previous.comment };
        if (!canOpen(reopenedForm)) return { reason: 'changed', form: previous, discard };
        const reuse = (): void => {
          set(approval, reopenedForm);
          discard();
        };
        return { reason: 'changed', form: previous, discard, reuse };
      }
      if (
        storedDraft === undefined ||
        (isForCurrent && (form !== undefined || canOpen(storedDraft.form) || hasPendingVote(approval.approvalId)))
      )
        return undefined;
      if (isForCurrent && offline === true) return { reason: 'offline', form: storedDraft.form };
      return {
        reason: isForCurrent ? 'over' : 'changed',
        form: storedDraft.form,
        discard: () => {
          setStoredDrafts((map) => withoutKey(map, storedDraft.approvalId));
          if (!forms.has(storedDraft.approvalId))
            drafts?.save(
              { approvalId: storedDraft.approvalId, round: storedDraft.round, digest: storedDraft.subjectDigest },
              undefined,
            );
        },
      };
    },
  };
}
