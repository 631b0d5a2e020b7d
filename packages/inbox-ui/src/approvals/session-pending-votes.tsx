import { notifications } from '@mantine/notifications';
import { useCallback, useContext, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../api/client-context.js';
import {
  actOf,
  formOf,
  hasWords,
  InboxHostContext,
  oneLine,
  PendingVotesBar,
  type PendingVotes,
  type PendingVote,
} from '../inbox/index.js';
import { useShortcuts } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { askBeforeLeaving } from '../ui/ask-before-leaving.js';
import { placeAskedFor } from '../ui/place-asked-for.js';
import { useAddressQuery } from '../ui/use-address-query.js';
import { formStoreOf } from './form-store.js';
import { LeaveDialog } from './leave-dialog.js';
import { TogetherDialog } from './together-dialog.js';
import { isApprovalsPage } from './use-approvals-address.js';
import { usePendingVotes } from './use-pending-votes.js';

const t = texts.approvals.outbox;

/**
 * Shows pending votes with undo buttons. It belongs to the application shell: it is visible on every page, and
 * navigation neither sends nor undoes anything. Closing the window, signing out and changing servers ask first and send
 * nothing: a vote is never sent in another session than it was made in.
 */
export function SessionPendingVotes() {
  const client = useClient();
  const { pendingVotes, entries } = usePendingVotes();
  const show = useShowApproval();
  const place = useRef<HTMLDivElement>(null);
  useUnconfirmedVotes(pendingVotes);
  useEffect(() => askBeforeLeaving(() => pendingVotes.busy), [pendingVotes]);
  useEffect(() => reserveRoom(place.current), []);
  const forms = formStoreOf(client);
  /** Undo keeps the comment. */
  const takeBack = useCallback(
    (id?: string): PendingVote | undefined => {
      const entry = pendingVotes.undo(id);
      if (entry !== undefined) forms.set(entry.approval.approvalId, formOf(entry.draft));
      return entry;
    },
    [pendingVotes, forms],
  );
  const takeAllBack = useCallback((): number => {
    let count = 0;
    while (takeBack() !== undefined) count += 1;
    return count;
  }, [takeBack]);
  // The session expires, or a link leads to another server.
  useEffect(
    () => () => {
      const count = takeAllBack();
      if (count > 0)
        notifications.show({ color: 'yellow', message: texts.approvals.leave.discarded(count), autoClose: false });
    },
    [takeAllBack],
  );
  const undo = (id?: string): void => {
    const entry = takeBack(id);
    if (entry !== undefined) show(entry.approval.approvalId);
  };
  /** A vote that was not counted is removed, but its comment is displayed with the approval. */
  const dismiss = (entry: PendingVote): void => {
    const form = formOf(entry.draft);
    pendingVotes.dismiss(entry.approval.approvalId);
    if (entry.state === 'refused' || (entry.state === 'changed' && hasWords(form, entry.approval)))
      forms.set(entry.approval.approvalId, form);
  };
  const look = (entry: PendingVote): void => {
    dismiss(entry);
    show(entry.approval.approvalId);
  };
  const undoes = entries.some(({ state }) => state === 'grace');
  useShortcuts([{ action: 'inbox.undo', run: undoes ? () => undo() : undefined }]);
  return (
    <div ref={place} className="cs-outbox-place">
      <PendingVotesBar
        entries={entries}
        onUndo={undo}
        onSettle={(id) => pendingVotes.settle(id)}
        onDismiss={dismiss}
        onLook={look}
      />
      <TogetherDialog />
      <LeaveDialog entries={entries} onDiscard={takeAllBack} />
    </div>
  );
}

/** Returns a function that opens an approval. On the approvals page, the list's filters are kept. */
function useShowApproval(): (approvalId: string) => void {
  const navigate = useNavigate();
  const [, change] = useAddressQuery(isApprovalsPage);
  return (approvalId) => {
    const to = `/approvals/${encodeURIComponent(approvalId)}`;
    const { pathname } = placeAskedFor();
    if (isApprovalsPage(pathname)) change((before) => before, { pathname: to, replace: pathname === to });
    else void navigate(to);
  };
}

/** Restores votes that were sent before the page was loaded and are unconfirmed, if the host stores them. */
function useUnconfirmedVotes(pendingVotes: PendingVotes): void {
  const { unconfirmedVotes, offline = false } = useContext(InboxHostContext) ?? {};
  useEffect(() => {
    if (unconfirmedVotes === undefined || offline) return;
    void unconfirmedVotes.list().then(({ votes, tooOld }) => {
      pendingVotes.restore(votes, (key) => unconfirmedVotes.forget(key));
      for (const { approval, draft } of tooOld)
        notifications.show({
          color: 'yellow',
          message: t.tooOld(t.doing[actOf(draft)], oneLine(approval.title, 80)),
          autoClose: false,
        });
    });
  }, [unconfirmedVotes, offline, pendingVotes]);
}

/** Reserves height below the pages, so that the bar covers nothing. */
function reserveRoom(place: HTMLDivElement | null): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(([entry]) =>
    style.setProperty('--cs-outbox-height', `${Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0)}px`),
  );
  if (place !== null) observer.observe(place);
  return () => {
    observer.disconnect();
    style.removeProperty('--cs-outbox-height');
  };
}
