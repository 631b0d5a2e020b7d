import { notifications } from '@mantine/notifications';
import { useCallback, useContext, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../api/client-context.js';
import {
  toFormAction,
  toFormDraft,
  hasContent,
  InboxHostContext,
  toOneLine,
  PendingVotesBar,
  type PendingVotes,
  type PendingVote,
} from '../inbox/index.js';
import { useShortcuts } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { askBeforeLeaving } from '../ui/ask-before-leaving.js';
import { getRequestedLocation } from '../ui/page-location.js';
import { StatusLine } from '../ui/status-line.js';
import { useAddressQuery } from '../ui/use-address-query.js';
import { getFormStore } from './form-store.js';
import { LeaveDialog } from './leave-dialog.js';
import { SessionBulkVoteDialog } from './session-bulk-vote-dialog.js';
import { isApprovalsPage } from './approvals-path.js';
import { usePendingVotes } from './use-pending-votes.js';

const t = texts.pendingVotes;

/**
 * Shows pending votes with undo buttons, and status messages. It belongs to the application shell: it is visible on
 * every page, and navigation neither sends nor undoes anything. When the user closes the window, signs out or selects another server, a
 * prompt asks for confirmation. Pending votes are then undone, because a vote is sent only in the session in which it
 * was made.
 */
export function SessionPendingVotes() {
  const client = useClient();
  const { pendingVotes, entries } = usePendingVotes();
  const showApproval = useShowApproval();
  const container = useRef<HTMLDivElement>(null);
  useUnconfirmedVotes(pendingVotes);
  useEffect(() => askBeforeLeaving(() => pendingVotes.hasUnsavedVotes), [pendingVotes]);
  useEffect(() => reserveBarHeight(container.current), []);
  const forms = getFormStore(client);
  /** Undoes a vote and puts its comment back into the form. */
  const undoVote = useCallback(
    (id?: string): PendingVote | undefined => {
      const entry = pendingVotes.undo(id);
      if (entry !== undefined) forms.set(entry.approval.approvalId, toFormDraft(entry.draft));
      return entry;
    },
    [pendingVotes, forms],
  );
  const undoAllVotes = useCallback((): number => {
    let count = 0;
    while (undoVote() !== undefined) count += 1;
    return count;
  }, [undoVote]);
  // Runs when the session ends, for example because it expires or because a link selects another server.
  useEffect(
    () => () => {
      const count = undoAllVotes();
      if (count > 0)
        notifications.show({ color: 'yellow', message: texts.leaveWithVotes.discarded(count), autoClose: false });
    },
    [undoAllVotes],
  );
  const undo = (id?: string): void => {
    const entry = undoVote(id);
    if (entry !== undefined) showApproval(entry.approval.approvalId);
  };
  /** Removes the entry. If the vote was not counted, its comment is put back into the form of the approval. */
  const dismiss = (entry: PendingVote): void => {
    const form = toFormDraft(entry.draft);
    pendingVotes.dismiss(entry.approval.approvalId);
    if (entry.state === 'refused' || (entry.state === 'changed' && hasContent(form, entry.approval)))
      forms.set(entry.approval.approvalId, form);
  };
  const openEntry = (entry: PendingVote): void => {
    dismiss(entry);
    showApproval(entry.approval.approvalId);
  };
  const canUndo = entries.some(({ state }) => state === 'undoable');
  useShortcuts([{ action: 'inbox.undo', run: canUndo ? () => undo() : undefined }]);
  return (
    <div ref={container} className="cs-pending-votes-place">
      <StatusLine />
      <PendingVotesBar
        entries={entries}
        onUndo={undo}
        onRetry={(id) => pendingVotes.retry(id)}
        onDismiss={dismiss}
        onOpen={openEntry}
      />
      <SessionBulkVoteDialog />
      <LeaveDialog entries={entries} onDiscard={undoAllVotes} />
    </div>
  );
}

/** Returns a function that opens an approval. On the approvals page, the list's filters are kept. */
function useShowApproval(): (approvalId: string) => void {
  const navigate = useNavigate();
  const [, change] = useAddressQuery(isApprovalsPage);
  return (approvalId) => {
    const to = `/approvals/${encodeURIComponent(approvalId)}`;
    const { pathname } = getRequestedLocation();
    if (isApprovalsPage(pathname))
      change((before) => before, { pathname: to, replace: pathname === to, isImmediate: true });
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
          message: t.tooOld(t.inProgress[toFormAction(draft)], toOneLine(approval.title, 80)),
          autoClose: false,
        });
    });
  }, [unconfirmedVotes, offline, pendingVotes]);
}

/** Reserves height below the pages, so that the bar does not cover their content. */
function reserveBarHeight(container: HTMLDivElement | null): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(([entry]) =>
    style.setProperty('--cs-pending-votes-height', `${Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0)}px`),
  );
  if (container !== null) observer.observe(container);
  return () => {
    observer.disconnect();
    style.removeProperty('--cs-pending-votes-height');
  };
}
