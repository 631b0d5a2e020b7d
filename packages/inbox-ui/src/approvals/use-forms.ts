import type { Approval } from '@countersign/contract';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import {
  draftBefore,
  formFor,
  hasWords,
  isAbout,
  useInboxHost,
  type Decided,
  type FormDraft,
  type KeptDraft,
  type StaleReason,
} from '../inbox/index.js';
import { formStoreOf } from './form-store.js';

/** Earlier text that cannot be put into the form. */
export interface StaleDraft {
  readonly why: StaleReason;
  readonly form: FormDraft;
  /** If omitted, the text is still going to be used. */
  discard?(): void;
  /**
   * Puts the text into a form of the displayed approval, without deciding it. If omitted, the approval cannot be
   * decided now.
   */
  reuse?(): void;
}

interface Forms {
  of(approvalId: string | undefined): FormDraft | undefined;
  set(approval: Decided, form: FormDraft | undefined): void;
  /** Closes the form when its vote is sent. The text is kept until the vote counts. */
  close(approval: Decided): void;
  left(approval: Approval | undefined): StaleDraft | undefined;
}

interface FormsOptions {
  /** The displayed approval. */
  readonly current: Approval | undefined;
  /** Returns whether this form can be open now for a decision on the displayed approval. */
  opens(form: FormDraft): boolean;
  /** Returns whether a vote on the approval is pending. */
  isUnderWay(approvalId: string): boolean;
}

const without = <T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> =>
  new Map([...map].filter(([each]) => each !== key));

/**
 * Manages decision forms, each as the user left it. A stored draft opens only if it was written about exactly the
 * displayed subject and round.
 */
export function useForms({ current, opens, isUnderWay }: FormsOptions): Forms {
  const { drafts, offline } = useInboxHost();
  const store = formStoreOf(useClient());
  const forms = useSyncExternalStore(store.subscribe, store.all);
  const [kept, setKept] = useState<ReadonlyMap<string, KeptDraft>>(new Map());
  useEffect(() => {
    let gone = false;
    void drafts?.load().then((loaded) => !gone && setKept(new Map(loaded.map((each) => [each.approvalId, each]))));
    return () => {
      gone = true;
    };
  }, [drafts]);
  /** Drops the loaded draft: from here on, the form holds the text. */
  const taken = useCallback((approval: Decided): void => {
    setKept((map) => {
      const draft = map.get(approval.approvalId);
      return draft !== undefined && isAbout(draft, approval) ? without(map, approval.approvalId) : map;
    });
  }, []);
  const close = useCallback(
    (approval: Decided): void => {
      taken(approval);
      store.set(approval.approvalId, undefined);
    },
    [taken, store],
  );
  const set = useCallback(
    (approval: Decided, form: FormDraft | undefined): void => {
      drafts?.save(approval, form !== undefined && hasWords(form, approval) ? form : undefined);
      if (form === undefined) return close(approval);
      taken(approval);
      store.set(approval.approvalId, form);
    },
    [drafts, close, taken, store],
  );
  const before = current === undefined ? undefined : draftBefore(kept, current);
  const fits = current !== undefined && before !== undefined && isAbout(before, current);
  useEffect(() => {
    if (fits && !forms.has(current.approvalId) && opens(before.form)) set(current, before.form);
  });
  return {
    of: (approvalId) => (approvalId === undefined ? undefined : forms.get(approvalId)),
    set,
    close,
    left: (approval) => {
      if (approval === undefined) return undefined;
      const form = forms.get(approval.approvalId);
      if (offline === true && form !== undefined && hasWords(form, approval)) return { why: 'offline', form };
      // If another user decided first, the form is closed and its text is kept.
      if (form !== undefined && !opens(form) && !isUnderWay(approval.approvalId) && hasWords(form, approval))
        return { why: 'over', form, discard: () => set(approval, undefined) };
      const previousId = approval.previousApprovalId;
      const previous = previousId === null ? undefined : forms.get(previousId);
      if (previousId !== null && previous !== undefined && previous.comment.trim() !== '') {
        const discard = (): void => store.set(previousId, undefined);
        const again = { ...formFor(previous.act, approval), comment: previous.comment };
        if (!opens(again)) return { why: 'changed', form: previous, discard };
        const reuse = (): void => {
          set(approval, again);
          discard();
        };
        return { why: 'changed', form: previous, discard, reuse };
      }
      if (
        before === undefined ||
        (fits && (form !== undefined || opens(before.form) || isUnderWay(approval.approvalId)))
      )
        return undefined;
      if (fits && offline === true) return { why: 'offline', form: before.form };
      return {
        why: fits ? 'over' : 'changed',
        form: before.form,
        discard: () => {
          setKept((map) => without(map, before.approvalId));
          if (!forms.has(before.approvalId))
            drafts?.save(
              { approvalId: before.approvalId, round: before.round, digest: before.subjectDigest },
              undefined,
            );
        },
      };
    },
  };
}
