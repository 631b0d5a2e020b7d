import { Button, Paper, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { Approval, InboxItem } from '@countersign/contract';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import {
  BulkBar,
  INBOX_SECTIONS,
  InboxList,
  SnoozeDialog,
  opensSigningDialog,
  getEvidenceKey,
  buildFormDraft,
  buildInboxRows,
  canStillCount,
  findNextToDecide,
  needsSigningKey,
  canVote,
  toOneLine,
  useInboxHost,
  findBulkVoteBlocker,
  type FormDraft,
  type InboxListHandle,
} from '../inbox/index.js';
import { useActionKeys, useShortcuts } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { EmptyState } from '../ui/empty-state.js';
import { Page } from '../ui/page.js';
import { toUserMessage } from '../ui/to-user-message.js';
import { useTypedText } from '../ui/use-typed-text.js';
import { DecisionPane } from './decision-pane.js';
import { getSeenEvidenceStore } from './seen-evidence-store.js';
import { ActiveFilters } from './active-filters.js';
import { loadAfterVote } from './after-vote.js';
import { ApprovalViewsMenu } from './approval-views-menu.js';
import { getBulkVoteStore } from './bulk-vote-store.js';
import { FilterButton } from './filter-button.js';
import { loadApprovals } from './load-approvals.js';
import { getRequestedApprovalId, useApprovalsAddress } from './use-approvals-address.js';
import { useApprovalSelection } from './use-approval-selection.js';
import { useForms } from './use-forms.js';
import { notifyKeyIgnored, useItemKeys } from './use-item-keys.js';
import { useOnceCounted } from './use-once-counted.js';
import { usePendingVotes } from './use-pending-votes.js';
import { usePrefetchedApprovals } from './use-prefetched-approvals.js';
import { useSnoozing } from './use-snoozing.js';
import type { Sections } from './use-sections.js';
import './approvals.css';

const t = texts.approvals;

interface ApprovalsLayoutProps extends Sections {
  /** Notice above the list. */
  readonly notice?: ReactNode;
  /** Selection of a status, for lists that have no sections. */
  readonly statusSelect?: ReactNode;
  /** The inbox whose approvals the views count; omitted: all approvals of the selected status. */
  readonly inbox?: 'mine';
}

/** Layout with the list on the left and the approval on the right; in a narrow window, one after the other. */
export function ApprovalsLayout({ sections, loadMore, notice, statusSelect, inbox }: ApprovalsLayoutProps) {
  const address = useApprovalsAddress();
  const { approvalId, filter, collapsed, show } = address;
  const client = useClient();
  const host = useInboxHost();
  const { pendingVotes, entries } = usePendingVotes();
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const list = useRef<InboxListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const seenStore = getSeenEvidenceStore(client);
  const seen = useSyncExternalStore(seenStore.subscribe, seenStore.getSnapshot);
  const [shownEvidence, setShownEvidence] = useState<string>();
  const [evidenceRequestCount, setEvidenceRequestCount] = useState(0);
  const [displayedApproval, setDisplayedApproval] = useState<Approval>();
  const [isOpeningBulkVote, setIsOpeningBulkVote] = useState(false);
  /** The approval that was opened because the user had voted on another one. A form that it has does not take the focus. */
  const [openedAfterVote, setOpenedAfterVote] = useState<string>();
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const snoozing = useSnoozing(() => list.current?.focus());
  const rows = buildInboxRows(sections, collapsed);
  const items = useMemo(() => rows.flatMap((row) => (row.kind === 'item' ? [row.approval] : [])), [rows]);
  const selection = useApprovalSelection(items);
  usePrefetchedApprovals(items, approvalId);
  const current = displayedApproval?.approvalId === approvalId ? displayedApproval : undefined;

  const isListVisible = isNarrow !== true || approvalId === undefined;
  const hasPendingVote = (id: string): boolean =>
    entries.some((entry) => entry.approval.approvalId === id && canStillCount(entry));
  const canVoteOnCurrent = current !== undefined && canVote(current, host) && !hasPendingVote(current.approvalId);
  const queryClient = useQueryClient();
  const hasLoadFailed = (id: string): boolean => queryClient.getQueryState(queryKeys.approval(id))?.status === 'error';
  /** Returns whether the requested approval is not displayed yet, so that its possible actions are unknown. */
  const isLoading = (): boolean => {
    const requestedId = getRequestedApprovalId();
    return requestedId !== undefined && requestedId !== current?.approvalId && !hasLoadFailed(requestedId);
  };
  const canOpenForm = ({ act: formAct }: FormDraft): boolean =>
    canVoteOnCurrent ||
    (formAct === 'edit' &&
      current !== undefined &&
      host.offline !== true &&
      needsSigningKey(current, host) &&
      !hasPendingVote(current.approvalId));
  const forms = useForms({ current, canOpen: canOpenForm, hasPendingVote });
  const setForm = forms.set;
  const itemKeys = useItemKeys(current, getRequestedApprovalId, approvalId !== undefined && hasLoadFailed(approvalId));
  const canVoteOn = (approval: InboxItem): boolean => canVote(approval, host) && !hasPendingVote(approval.approvalId);
  /** Returns whether the user can vote on a row now. Until the list is updated, it contains decided approvals. */
  const canDecideListed = (item: InboxItem): boolean =>
    canVoteOn(item) && canVoteOn(queryClient.getQueryData<Approval>(queryKeys.approval(item.approvalId)) ?? item);
  const openFormFor = (formAct: 'approve' | 'reject' | 'request_changes') => (): void =>
    itemKeys.runOnRequested((approval) => {
      if (!canVoteOn(approval)) return false;
      setOpenedAfterVote(undefined);
      setForm(approval, buildFormDraft(formAct, approval, forms.get(approval.approvalId)));
      return true;
    });
  /** Finds the requested approval in the list, which contains it before it is displayed. */
  const findListedApproval = (): InboxItem | undefined =>
    items.find((each) => each.approvalId === getRequestedApprovalId());
  /** Loads what the dialog shows: the list has only rows. */
  const openBulkVote = async (): Promise<void> => {
    const approvalIds = selection.approvals.map((each) => each.approvalId);
    setIsOpeningBulkVote(true);
    try {
      const approvals = await loadApprovals(client, approvalIds);
      // The user may have left the page in the meantime.
      if (!isMounted.current) return;
      const blocker = approvals.length < approvalIds.length ? t.bulk.notMine : findBulkVoteBlocker(approvals, host);
      if (blocker === undefined) getBulkVoteStore(client).open(approvals, seenStore.getSnapshot(), selection.clear);
      else notifyKeyIgnored(blocker);
    } catch (error) {
      notifications.show({ color: 'red', message: toUserMessage(error) });
    } finally {
      setIsOpeningBulkVote(false);
    }
  };
  const toggleSelection = (): void => {
    const approval = findListedApproval();
    if (approval === undefined) return;
    if (selection.canSelect(approval)) selection.toggle(approval);
    else notifyKeyIgnored(findBulkVoteBlocker([approval], host) ?? t.itemKeys.notPossible);
  };
  useEffect(() => {
    const reason = canVoteOnCurrent ? address.takeRejectReason() : undefined;
    if (current !== undefined && reason !== undefined)
      setForm(current, { ...buildFormDraft('reject', current), comment: reason });
  });
  const findPinnedKeys = (approval: Approval | undefined): string[] =>
    (approval?.subject.evidence ?? []).filter(({ sha256 }) => sha256 !== null).map(getEvidenceKey);
  const showNextEvidence = (approval: Approval): boolean => {
    const pinnedKeys = findPinnedKeys(approval);
    if (pinnedKeys.length === 0) return false;
    const isOpened = (key: string): boolean => seen.get(key)?.isOpened === true;
    // Does not move to the next piece of evidence before the user has seen the current one.
    const staysOnCurrent =
      shownEvidence !== undefined && pinnedKeys.includes(shownEvidence) && !isOpened(shownEvidence);
    if (!staysOnCurrent)
      setShownEvidence(
        pinnedKeys.find((key) => !isOpened(key)) ??
          pinnedKeys[(pinnedKeys.indexOf(shownEvidence ?? '') + 1) % pinnedKeys.length],
      );
    setEvidenceRequestCount((times) => times + 1);
    return true;
  };
  const showEvidence = (key: string | undefined): void => {
    setShownEvidence(key);
    setEvidenceRequestCount(0);
  };
  const focusHeading = (): boolean => {
    requestAnimationFrame(() => {
      // A key pressed in the meantime may have opened a form, which keeps the focus.
      if (document.activeElement?.closest('.cs-decision-foot form') === null) heading.current?.focus();
    });
    return true;
  };
  const openApproval = ({ approvalId: id }: InboxItem): void => {
    if (getRequestedApprovalId() !== id) show(id, isNarrow !== true);
    // The heading exists once the approval is displayed; until then it belongs to the previous one.
    itemKeys.runOnRequested(focusHeading);
  };
  /** Opens the next approval that waits for the user. If there is none, or the user wants to stay, the decided one stays. */
  const openNextToDecide = (decidedId: string): void => {
    const next = loadAfterVote() === 'stay' ? undefined : findNextToDecide(rows, decidedId, canDecideListed);
    if (next === undefined) return list.current?.focus();
    setOpenedAfterVote(next.approvalId);
    if (list.current === null) show(next.approvalId, true);
    else list.current.open(next);
  };
  // In a narrow window, there is no row to focus.
  useEffect(() => {
    if (isNarrow === true && openedAfterVote !== undefined && current?.approvalId === openedAfterVote)
      heading.current?.focus();
  }, [isNarrow, openedAfterVote, current?.approvalId]);
  // A vote that is confirmed in the signing dialog may still be cancelled there, so its approval stays open until then.
  const openNextOnceCounted = useOnceCounted(entries, (decidedId) => {
    if (getRequestedApprovalId() === decidedId && isFocusOnApproval()) openNextToDecide(decidedId);
  });
  const skipInDialog = (run: () => void) => (): void => {
    if (document.activeElement?.closest('[role="dialog"]') instanceof Element) return;
    run();
  };
  const buildShortcutHandler = (enabled: boolean, run: () => void): (() => void) | undefined =>
    enabled ? skipInDialog(run) : undefined;
  const canDecide = host.hasRole('approver') && host.offline !== true;
  /** Builds a shortcut for the approval that is displayed or about to be displayed. */
  const buildItemShortcut = (enabled: boolean, run: () => void) => ({
    run: skipInDialog(run),
    when: () => enabled || isLoading(),
  });
  useShortcuts([
    {
      action: 'inbox.approve',
      ...buildItemShortcut(canVoteOnCurrent, openFormFor('approve')),
      when: () => canVoteOnCurrent || (canDecide && isLoading()),
    },
    {
      action: 'inbox.reject',
      ...buildItemShortcut(canVoteOnCurrent, openFormFor('reject')),
      when: () => canVoteOnCurrent || (canDecide && isLoading()),
    },
    {
      action: 'inbox.requestChanges',
      ...buildItemShortcut(canVoteOnCurrent, openFormFor('request_changes')),
      when: () => canVoteOnCurrent || (canDecide && isLoading()),
    },
    {
      action: 'inbox.evidence',
      ...buildItemShortcut(findPinnedKeys(current).length > 0, () => itemKeys.runOnRequested(showNextEvidence)),
    },
    { action: 'inbox.next', run: buildShortcutHandler(isListVisible, () => list.current?.move(1)) },
    { action: 'inbox.previous', run: buildShortcutHandler(isListVisible, () => list.current?.move(-1)) },
    { action: 'inbox.open', ...buildItemShortcut(current !== undefined, () => itemKeys.runOnRequested(focusHeading)) },
    { action: 'inbox.select', run: skipInDialog(toggleSelection), when: () => findListedApproval() !== undefined },
    { action: 'inbox.search', run: buildShortcutHandler(isListVisible, () => search.current?.focus()) },
    ...(snoozing === undefined
      ? []
      : [
          {
            action: 'inbox.snooze',
            ...buildItemShortcut(current !== undefined && snoozing.canSnooze(current), () =>
              itemKeys.runOnRequested(snoozing.open),
            ),
          },
        ]),
    ...INBOX_SECTIONS.filter((section) => section !== 'snoozed' || snoozing !== undefined).map((section) => ({
      action: `inbox.${section}`,
      run: buildShortcutHandler(isListVisible && sections.some(({ id }) => id === section), () =>
        list.current?.goTo(section),
      ),
    })),
  ]);
  const nextKey = useActionKeys('inbox.next');
  const previousKey = useActionKeys('inbox.previous');
  const isDecisionVisible = isNarrow !== true || approvalId !== undefined;

  return (
    <Page
      title={t.title}
      window={buildWindowTitle(
        sections,
        approvalId === undefined
          ? t.title
          : t.windowTitle(current === undefined ? t.decision : toOneLine(current.title, 80)),
      )}
      actions={!isListVisible && <BackButton onBack={() => show(undefined)} />}
    >
      {notice}
      {itemKeys.isWaiting && (
        <Text size="sm" mb={6} role="status">
          {t.itemKeys.waits}
        </Text>
      )}
      <div className="cs-approvals" data-narrow={isNarrow === true}>
        {isListVisible && (
          <Paper withBorder className="cs-approvals-list">
            <div className="cs-approvals-tools">
              <SearchField
                ref={search}
                q={filter.q}
                onSearch={address.setSearch}
                onLeave={() => list.current?.move(1)}
              />
              {statusSelect}
              <FilterButton filter={filter} status={address.status} onFilter={address.setFilter} />
              <ApprovalViewsMenu filter={filter} inbox={inbox} status={address.status} onFilter={address.setFilter} />
            </div>
            <ActiveFilters filter={filter} onFilter={address.setFilter} />
            <InboxList
              ref={list}
              rows={rows}
              current={approvalId}
              getRequestedId={getRequestedApprovalId}
              pendingVotes={entries}
              selectedIds={selection.ids}
              canChoose={selection.canSelect}
              onChoose={selection.toggle}
              onCurrent={(approval) => show(approval.approvalId, isNarrow !== true)}
              onOpen={openApproval}
              onToggle={address.toggle}
              onLoadMore={loadMore}
            />
            <BulkBar
              isBusy={isOpeningBulkVote}
              approvals={selection.approvals}
              onApprove={() => void openBulkVote()}
              onClear={selection.clear}
            />
          </Paper>
        )}
        {isDecisionVisible && (
          <Paper withBorder className="cs-approvals-decision">
            {approvalId === undefined ? (
              <EmptyState title={t.pick} hint={t.pickHint(nextKey, previousKey)} />
            ) : (
              <DecisionPane
                key={approvalId}
                approvalId={approvalId}
                entry={entries.find(({ approval }) => approval.approvalId === approvalId)}
                form={forms.get(approvalId)}
                staleDraft={forms.getStaleDraft(current)}
                seenEvidence={seen}
                shownEvidence={shownEvidence}
                evidenceRequestCount={evidenceRequestCount}
                headingRef={heading}
                onDisplayed={setDisplayedApproval}
                formTakesFocus={openedAfterVote !== approvalId}
                onFormChange={(approval, form) => {
                  if (forms.get(approval.approvalId) === undefined) setOpenedAfterVote(undefined);
                  setForm(approval, form);
                }}
                onSend={(approval, draft) => {
                  const isSigned = opensSigningDialog(approval, host, draft.editedArguments !== undefined);
                  pendingVotes.add(approval, draft, isSigned);
                  forms.close(approval);
                  if (isSigned) {
                    list.current?.focus();
                    openNextOnceCounted(approval.approvalId);
                  } else openNextToDecide(approval.approvalId);
                }}
                onShowEvidence={showEvidence}
                onEvidenceSeen={seenStore.add}
                onOpenApproval={(id) => show(id)}
                onSnooze={snoozing?.open}
              />
            )}
          </Paper>
        )}
      </div>
      {snoozing?.approval !== undefined && (
        <SnoozeDialog approval={snoozing.approval} onClose={snoozing.close} onSnooze={snoozing.snooze} />
      )}
    </Page>
  );
}

/** Returns whether the focus may move without interrupting the user, who has voted and then done nothing else. */
function isFocusOnApproval(): boolean {
  const focused = document.activeElement;
  if (focused === null || focused.matches('body, main')) return true;
  return focused.closest('.cs-inbox-list, .cs-decision') !== null && !focused.matches('input, textarea');
}

/**
 * Returns the window title with the number of waiting approvals, if the list separates the user's approvals from
 * others.
 */
function buildWindowTitle(sections: Sections['sections'], pageTitle: string): string {
  const mineSection = sections.find(({ id }) => id === 'mine');
  return mineSection === undefined ? pageTitle : t.waitingIn(mineSection.items.length, !mineSection.hasMore, pageTitle);
}

function BackButton({ onBack }: { onBack(): void }) {
  return (
    <Button variant="default" size="xs" leftSection={<IconArrowLeft size={14} aria-hidden />} onClick={onBack}>
      {t.back}
    </Button>
  );
}

interface SearchFieldProps {
  readonly ref: React.Ref<HTMLInputElement>;
  readonly q: string;
  onSearch(q: string): void;
  /** Called on Enter or Arrow Down, to move to the results. */
  onLeave(): void;
}

function SearchField({ ref, q, onSearch, onLeave }: SearchFieldProps) {
  const [text, setText] = useTypedText(q, onSearch);
  return (
    <TextInput
      ref={ref}
      type="search"
      size="sm"
      flex={1}
      aria-label={t.search}
      maxLength={200}
      placeholder={t.search}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key === 'Enter' || event.key === 'ArrowDown') onLeave();
      }}
    />
  );
}
