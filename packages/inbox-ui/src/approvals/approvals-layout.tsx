import { Button, Paper, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { Approval, Decision, InboxItem, Question } from '@countersign/contract';
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
  explainUnavailableDecision,
  findNextToDecide,
  getItemId,
  getQuestionHeading,
  isQuestion,
  isSendingAnswer,
  needsSigningKey,
  canVote,
  toOneLine,
  useInboxHost,
  findBulkVoteBlocker,
  type DisplayedItem,
  type FormDraft,
  type InboxListHandle,
  type ListedItem,
} from '../inbox/index.js';
import { useActionKeys, useShortcuts } from '../keys/keys-provider.js';
import { VisitsProvider } from '../comments/visits-provider.js';
import { useEngineSupport } from '../session/use-engine-support.js';
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
import { QuestionPane } from './question-pane.js';
import { getRequestedItemId } from './approvals-path.js';
import { isScrolledByKeys, scrollItem } from './scroll-item.js';
import { useApprovalsAddress } from './use-approvals-address.js';
import { useApprovalSelection } from './use-approval-selection.js';
import { useForms } from './use-forms.js';
import { explainNotPossible, notifyKeyIgnored, useItemKeys } from './use-item-keys.js';
import { useOnceCounted } from './use-once-counted.js';
import { usePendingVotes } from './use-pending-votes.js';
import { usePrefetchedApprovals } from './use-prefetched-approvals.js';
import { useSnoozing } from './use-snoozing.js';
import type { Sections } from './use-sections.js';
import './approvals.css';

const t = texts.approvals;
/** Number of frames in which the field for a comment is rendered. */
const MAX_FRAMES_TO_COMMENT_FIELD = 60;

interface ApprovalsLayoutProps extends Sections {
  /** Notice above the list. */
  readonly notice?: ReactNode;
  /** Selection of a status, for lists that have no sections. */
  readonly statusSelect?: ReactNode;
  /**
   * The inbox whose approvals and questions are listed and counted in the views; omitted: all approvals of the selected
   * status.
   */
  readonly inbox?: 'mine';
}

/**
 * Layout with the list on the left and the approval or question on the right; in a narrow window, one after the other.
 */
export function ApprovalsLayout({ sections, loadMore, notice, statusSelect, inbox }: ApprovalsLayoutProps) {
  const address = useApprovalsAddress();
  const { approvalId, questionId, filter, collapsed, show } = address;
  const itemId = approvalId ?? questionId;
  const client = useClient();
  const host = useInboxHost();
  const { pendingVotes, entries } = usePendingVotes();
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const list = useRef<InboxListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const commentField = useRef<HTMLTextAreaElement>(null);
  const seenStore = getSeenEvidenceStore(client);
  const seen = useSyncExternalStore(seenStore.subscribe, seenStore.getSnapshot);
  const [shownEvidence, setShownEvidence] = useState<string>();
  const [evidenceRequestCount, setEvidenceRequestCount] = useState(0);
  const [displayedItem, setDisplayedItem] = useState<DisplayedItem>();
  const [isOpeningBulkVote, setIsOpeningBulkVote] = useState(false);
  /**
   * The item that was opened because the user had voted on an approval or answered a question. A form that it has does
   * not take the focus.
   */
  const [openedNext, setOpenedNext] = useState<string>();
  const engine = useEngineSupport();
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const snoozing = useSnoozing(() => list.current?.focus());
  const rows = buildInboxRows(sections, collapsed);
  const items = useMemo(() => rows.flatMap((row) => (row.kind === 'item' ? [row.item] : [])), [rows]);
  const approvals = useMemo(() => items.flatMap((item) => (isQuestion(item) ? [] : [item])), [items]);
  const selection = useApprovalSelection(approvals);
  usePrefetchedApprovals(items, itemId);
  const currentItem = displayedItem !== undefined && getItemId(displayedItem) === itemId ? displayedItem : undefined;
  const current = currentItem === undefined || isQuestion(currentItem) ? undefined : currentItem;

  const isListVisible = isNarrow !== true || itemId === undefined;
  const hasPendingVote = (id: string): boolean =>
    entries.some((entry) => entry.approval.approvalId === id && canStillCount(entry));
  const canVoteOnCurrent = current !== undefined && canVote(current, host) && !hasPendingVote(current.approvalId);
  const queryClient = useQueryClient();
  const hasLoadFailed = (id: string): boolean =>
    [queryKeys.approval(id), queryKeys.question(id)].some((key) => queryClient.getQueryState(key)?.status === 'error');
  /** Returns whether the requested item is not displayed yet, so that its possible actions are unknown. */
  const isLoading = (): boolean => {
    const requestedId = getRequestedItemId();
    return (
      requestedId !== undefined &&
      (currentItem === undefined || requestedId !== getItemId(currentItem)) &&
      !hasLoadFailed(requestedId)
    );
  };
  /** Returns whether keys for approvals are refused with a notice: the user may expect the next approval. */
  const isOnQuestion = (): boolean => currentItem !== undefined && isQuestion(currentItem);
  const canOpenForm = ({ act: formAct }: FormDraft): boolean =>
    canVoteOnCurrent ||
    (formAct === 'edit' &&
      current !== undefined &&
      host.offline !== true &&
      needsSigningKey(current, host) &&
      !hasPendingVote(current.approvalId));
  const forms = useForms({ current, canOpen: canOpenForm, hasPendingVote });
  const setForm = forms.set;
  const itemKeys = useItemKeys(currentItem, getRequestedItemId, itemId !== undefined && hasLoadFailed(itemId));
  const canVoteOn = (approval: InboxItem): boolean => canVote(approval, host) && !hasPendingVote(approval.approvalId);
  /**
   * Returns whether the user can vote on a row or answer it now. Until the list is updated, it contains decided approvals
   * and answered questions.
   */
  const isWaiting = (item: ListedItem): boolean => {
    if (isQuestion(item)) {
      const latest = queryClient.getQueryData<Question>(queryKeys.question(item.questionId)) ?? item;
      return latest.status === 'pending' && host.offline !== true && !isSendingAnswer(client, item.questionId);
    }
    return (
      canVoteOn(item) && canVoteOn(queryClient.getQueryData<Approval>(queryKeys.approval(item.approvalId)) ?? item)
    );
  };
  const openFormFor = (formAct: Decision) => (): void =>
    itemKeys.runOnApproval((approval) => {
      if (!canVoteOn(approval)) return false;
      const unavailable = explainUnavailableDecision(approval, formAct);
      if (unavailable !== undefined) {
        notifyKeyIgnored(unavailable);
        return true;
      }
      setOpenedNext(undefined);
      setForm(approval, buildFormDraft(formAct, approval, forms.get(approval.approvalId)));
      return true;
    });
  /** Finds the requested item in the list, which contains it before it is displayed. */
  const findListedItem = (): ListedItem | undefined => items.find((item) => getItemId(item) === getRequestedItemId());
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
    const item = findListedItem();
    if (item === undefined) return;
    if (isQuestion(item)) notifyKeyIgnored(explainNotPossible(item));
    else if (selection.canSelect(item)) selection.toggle(item);
    else notifyKeyIgnored(findBulkVoteBlocker([item], host) ?? explainNotPossible(item));
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
  const canComment = host.hasRole('operator') && host.offline !== true && engine.supports('approval_comments');
  const focusCommentField = (): boolean => {
    // The field is rendered after the first paint.
    const requestedId = getRequestedItemId();
    const focusIn = (frames: number): void => {
      if (getRequestedItemId() !== requestedId || frames === 0) return;
      if (commentField.current === null) requestAnimationFrame(() => focusIn(frames - 1));
      else commentField.current.focus();
    };
    focusIn(MAX_FRAMES_TO_COMMENT_FIELD);
    return true;
  };
  const openItem = (item: ListedItem): void => {
    if (getRequestedItemId() !== getItemId(item)) show(item, isNarrow !== true);
    // The heading exists once the item is displayed; until then it belongs to the previous one.
    itemKeys.runOnRequested(focusHeading);
  };
  /**
   * Opens the next item that waits for the user.
   *
   * @param isImmediate whether it is displayed in one render with what changed in the same event
   * @param stay called if there is none, or if the user wants the item that is done to stay
   */
  const openNext = (done: DisplayedItem, isImmediate: boolean, stay: () => void): void => {
    const next = loadAfterVote() === 'stay' ? undefined : findNextToDecide(rows, done, isWaiting);
    if (next === undefined) return stay();
    setOpenedNext(getItemId(next));
    if (list.current === null) show(next, true, isImmediate);
    else list.current.open(next, isImmediate);
  };
  const openNextAfterVote = (decided: Approval, isImmediate: boolean): void =>
    openNext(decided, isImmediate, () => list.current?.focus());
  /** An answered question leaves the list, and its form had the focus. */
  const openNextAfterAnswer = (answered: Question, isTypedOn: boolean): void => {
    if (getRequestedItemId() === answered.questionId && isFocusOnQuestion() && !isTypedOn)
      openNext(answered, false, () => heading.current?.focus());
  };
  const currentId = currentItem === undefined ? undefined : getItemId(currentItem);
  // In a narrow window, there is no row to focus.
  useEffect(() => {
    if (isNarrow === true && openedNext !== undefined && currentId === openedNext) heading.current?.focus();
  }, [isNarrow, openedNext, currentId]);
  // A vote that is confirmed in the signing dialog may still be cancelled there, so its approval stays open until then.
  const openNextOnceCounted = useOnceCounted(entries, (decided) => {
    if (getRequestedItemId() === decided.approvalId && isFocusOnApproval()) openNextAfterVote(decided, false);
  });
  const skipInDialog = (run: () => void) => (): void => {
    if (document.activeElement?.closest('[role="dialog"]') instanceof Element) return;
    run();
  };
  const buildShortcutHandler = (enabled: boolean, run: () => void): (() => void) | undefined =>
    enabled ? skipInDialog(run) : undefined;
  const canDecide = host.hasRole('approver') && host.offline !== true;
  /** Builds a shortcut for the item that is displayed or about to be displayed. */
  const buildItemShortcut = (enabled: boolean, run: () => void) => ({
    run: skipInDialog(run),
    when: () => enabled || isLoading(),
    isRefused: isOnQuestion,
  });
  const buildVoteShortcut = (action: Decision) => ({
    run: skipInDialog(openFormFor(action)),
    when: () => canVoteOnCurrent || (canDecide && isLoading()),
    isRefused: () => canDecide && isOnQuestion(),
  });
  useShortcuts([
    { action: 'inbox.approve', ...buildVoteShortcut('approve') },
    { action: 'inbox.reject', ...buildVoteShortcut('reject') },
    { action: 'inbox.requestChanges', ...buildVoteShortcut('request_changes') },
    {
      action: 'inbox.evidence',
      ...buildItemShortcut(findPinnedKeys(current).length > 0, () => itemKeys.runOnApproval(showNextEvidence)),
    },
    {
      action: 'inbox.comment',
      ...buildItemShortcut(canComment && current !== undefined, () =>
        itemKeys.runOnApproval(() => canComment && focusCommentField()),
      ),
    },
    { action: 'inbox.next', run: buildShortcutHandler(isListVisible, () => list.current?.move(1)) },
    { action: 'inbox.previous', run: buildShortcutHandler(isListVisible, () => list.current?.move(-1)) },
    {
      action: 'inbox.open',
      ...buildItemShortcut(currentItem !== undefined, () => itemKeys.runOnRequested(focusHeading)),
    },
    ...(
      [
        ['inbox.scrollDown', 1],
        ['inbox.scrollUp', -1],
      ] as const
    ).map(([action, by]) => ({
      action,
      run: () => scrollItem(by),
      when: () => itemId !== undefined,
      hasKey: isScrolledByKeys,
    })),
    {
      action: 'inbox.select',
      run: skipInDialog(toggleSelection),
      when: () => {
        const item = findListedItem();
        return item !== undefined && !isQuestion(item);
      },
      isRefused: () => findListedItem() !== undefined,
    },
    { action: 'inbox.search', run: buildShortcutHandler(isListVisible, () => search.current?.focus()) },
    ...(snoozing === undefined
      ? []
      : [
          {
            action: 'inbox.snooze',
            ...buildItemShortcut(current !== undefined && snoozing.canSnooze(current), () =>
              itemKeys.runOnApproval(snoozing.open),
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
  const isDecisionVisible = isNarrow !== true || itemId !== undefined;
  const listed = items.find((item) => getItemId(item) === questionId);

  return (
    <Page
      title={t.title}
      window={buildWindowTitle(
        sections,
        itemId === undefined ? t.title : t.windowTitle(currentItem === undefined ? t.decision : getTitle(currentItem)),
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
                label={inbox === undefined ? t.search : t.searchWithQuestions}
                q={filter.q}
                onSearch={address.setSearch}
                onLeave={() => list.current?.move(1)}
              />
              {statusSelect}
              <FilterButton filter={filter} status={address.status} onFilter={address.setFilter} />
              <ApprovalViewsMenu filter={filter} inbox={inbox} status={address.status} onFilter={address.setFilter} />
            </div>
            <ActiveFilters filter={filter} onFilter={address.setFilter} />
            <VisitsProvider>
              <InboxList
                ref={list}
                rows={rows}
                label={inbox === undefined ? t.list : t.listWithQuestions}
                current={itemId}
                getRequestedId={getRequestedItemId}
                pendingVotes={entries}
                selectedIds={selection.ids}
                canChoose={selection.canSelect}
                onChoose={selection.toggle}
                onCurrent={(item, isImmediate) => show(item, isNarrow !== true, isImmediate)}
                onOpen={openItem}
                onToggle={address.toggle}
                onLoadMore={loadMore}
              />
            </VisitsProvider>
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
            {itemId === undefined && (
              <EmptyState
                title={inbox === undefined ? t.pick : t.pickWithQuestions}
                hint={t.pickHint(nextKey, previousKey)}
              />
            )}
            {questionId !== undefined && (
              <QuestionPane
                key={questionId}
                questionId={questionId}
                listed={listed !== undefined && isQuestion(listed) ? listed : undefined}
                headingRef={heading}
                onDisplayed={setDisplayedItem}
                onAnswered={openNextAfterAnswer}
              />
            )}
            {approvalId !== undefined && (
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
                commentRef={commentField}
                onDisplayed={setDisplayedItem}
                formTakesFocus={openedNext !== approvalId}
                onFormChange={(approval, form) => {
                  if (forms.get(approval.approvalId) === undefined) setOpenedNext(undefined);
                  setForm(approval, form);
                }}
                onSend={(approval, draft) => {
                  const isSigned = opensSigningDialog(approval, host, draft.editedArguments !== undefined);
                  pendingVotes.add(approval, draft, isSigned);
                  forms.close(approval);
                  if (isSigned) {
                    list.current?.focus();
                    openNextOnceCounted(approval);
                  } else openNextAfterVote(approval, true);
                }}
                onShowEvidence={showEvidence}
                onEvidenceSeen={seenStore.add}
                onOpenApproval={(id) => show({ approvalId: id })}
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
 * Returns whether the focus may move after the user has answered the displayed question. The user may still have typed
 * in the form.
 */
function isFocusOnQuestion(): boolean {
  const focused = document.activeElement;
  return focused === null || focused.matches('body, main') || focused.closest('.cs-inbox-list, .cs-question') !== null;
}

function getTitle(item: DisplayedItem): string {
  return isQuestion(item) ? getQuestionHeading(item) : toOneLine(item.title, 80);
}

/** Returns the window title with the number of waiting items, if the list separates the user's items from others. */
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
  readonly label: string;
  readonly q: string;
  onSearch(q: string): void;
  /** Called on Enter or Arrow Down, to move to the results. */
  onLeave(): void;
}

function SearchField({ ref, label, q, onSearch, onLeave }: SearchFieldProps) {
  const [text, setText] = useTypedText(q, onSearch);
  return (
    <TextInput
      ref={ref}
      type="search"
      size="sm"
      flex={1}
      aria-label={label}
      maxLength={200}
      placeholder={t.searchHint}
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
