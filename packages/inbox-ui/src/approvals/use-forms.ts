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

/** What was written before, and can't stand in the form. */
export interface StaleDraft {
  readonly why: StaleReason;
  readonly form: FormDraft;
  /** Left out: it is still going to be used. */
  discard?(): void;
  /** Puts the words into a form of what is shown, which decides nothing; left out: it can't be decided now. */
  reuse?(): void;
}

interface Forms {
  of(approvalId: string | undefined): FormDraft | undefined;
  set(approval: Decided, form: FormDraft | undefined): void;
  /** It is sent: what was written is kept until it counts. */
  close(approval: Decided): void;
  left(approval: Approval | undefined): StaleDraft | undefined;
}

interface FormsOptions {
  /** What is shown. */
  readonly current: Approval | undefined;
  /** Whether this form of a decision on it can be open now. */
  opens(form: FormDraft): boolean;
  /** Whether a decision on it is on its way. */
  isUnderWay(approvalId: string): boolean;
}

const without = <T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> =>
  new Map([...map].filter(([each]) => each !== key));

/** The forms of decisions, each as it was left. What was kept from before opens where it was written about exactly what is shown, and nowhere else. */
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
  /** What stands in the form is kept from there on. */
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
      // Somebody else was faster: the form is closed, its words stay.
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
