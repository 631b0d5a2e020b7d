import { Button, Paper, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { Approval } from '@countersign/contract';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import {
  BulkBar,
  INBOX_SECTIONS,
  InboxList,
  SnoozeDialog,
  opensSigningDialog,
  evidenceKey,
  formFor,
  inboxRows,
  isOnItsWay,
  needsSigningKey,
  canVote,
  oneLine,
  useInboxHost,
  whyNotTogether,
  type FormDraft,
  type InboxListHandle,
} from '../inbox/index.js';
import { useKeysOf, useShortcuts } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { EmptyState } from '../ui/empty-state.js';
import { Page } from '../ui/page.js';
import { useTypedText } from '../ui/use-typed-text.js';
import { DecisionPane } from './decision-pane.js';
import { seenStoreOf } from './seen-store.js';
import { togetherStoreOf } from './together-store.js';
import { approvalAskedFor, useApprovalsAddress } from './use-approvals-address.js';
import { useApprovalSelection } from './use-approval-selection.js';
import { useForms } from './use-forms.js';
import { refuseKey, useItemKeys } from './use-item-keys.js';
import { usePendingVotes } from './use-pending-votes.js';
import { useSnoozing } from './use-snoozing.js';
import type { Sections } from './use-sections.js';
import './approvals.css';

const t = texts.approvals;

interface ApprovalsRoomProps extends Sections {
  /** Notice above the list. */
  readonly notice?: ReactNode;
  /** Additional filter of the list. */
  readonly filter?: ReactNode;
}

/** Layout with the list on the left and the approval on the right; in a narrow window, one after the other. */
export function ApprovalsLayout({ sections, loadMore, notice, filter }: ApprovalsRoomProps) {
  const address = useApprovalsAddress();
  const { approvalId, q, closed, show } = address;
  const client = useClient();
  const host = useInboxHost();
  const { pendingVotes, entries } = usePendingVotes();
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const list = useRef<InboxListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const seenStore = seenStoreOf(client);
  const seen = useSyncExternalStore(seenStore.subscribe, seenStore.all);
  const [shownEvidence, setShownEvidence] = useState<string>();
  const [evidenceAsked, setEvidenceAsked] = useState(0);
  const [shown, setShown] = useState<Approval>();
  const snoozing = useSnoozing(() => list.current?.focus());
  const rows = inboxRows(sections, closed);
  const items = useMemo(() => rows.flatMap((row) => (row.kind === 'item' ? [row.approval] : [])), [rows]);
  const choice = useApprovalSelection(items);
  const current = shown?.approvalId === approvalId ? shown : undefined;

  const showsList = narrow !== true || approvalId === undefined;
  const isUnderWay = (id: string): boolean =>
    entries.some((entry) => entry.approval.approvalId === id && isOnItsWay(entry));
  const votes = current !== undefined && canVote(current, host) && !isUnderWay(current.approvalId);
  const queries = useQueryClient();
  const failed = (id: string): boolean => queries.getQueryState(keys.approval(id))?.status === 'error';
  /** Returns whether the requested approval is not displayed yet, so that its possible actions are unknown. */
  const isLoading = (): boolean => {
    const asked = approvalAskedFor();
    return asked !== undefined && asked !== current?.approvalId && !failed(asked);
  };
  const opens = ({ act: to }: FormDraft): boolean =>
    votes ||
    (to === 'edit' &&
      current !== undefined &&
      host.offline !== true &&
      needsSigningKey(current, host) &&
      !isUnderWay(current.approvalId));
  const forms = useForms({ current, opens, isUnderWay });
  const setForm = forms.set;
  const itemKeys = useItemKeys(current, approvalAskedFor, approvalId !== undefined && failed(approvalId));
  const votesOn = (approval: Approval): boolean => canVote(approval, host) && !isUnderWay(approval.approvalId);
  const act = (to: 'approve' | 'reject' | 'request_changes') => (): void =>
    itemKeys.press((approval) => {
      if (!votesOn(approval)) return false;
      setForm(approval, formFor(to, approval, forms.of(approval.approvalId)));
      return true;
    });
  /** From the list, which has the approval before it is displayed. */
  const listed = (): Approval | undefined => items.find((each) => each.approvalId === approvalAskedFor());
  const select = (): void => {
    const approval = listed();
    if (approval === undefined) return;
    if (choice.may(approval)) choice.toggle(approval);
    else refuseKey(whyNotTogether([approval], host) ?? t.itemKeys.notPossible);
  };
  useEffect(() => {
    const reason = votes ? address.takeReason() : undefined;
    if (current !== undefined && reason !== undefined)
      setForm(current, { ...formFor('reject', current), comment: reason });
  });
  const pinnedOf = (approval: Approval | undefined): string[] =>
    (approval?.subject.evidence ?? []).filter(({ sha256 }) => sha256 !== null).map(evidenceKey);
  const nextEvidence = (approval: Approval): boolean => {
    const pinned = pinnedOf(approval);
    if (pinned.length === 0) return false;
    const isOpened = (key: string): boolean => seen.get(key)?.enough === true;
    // Does not move to the next piece of evidence before the user has seen this one.
    const stays = shownEvidence !== undefined && pinned.includes(shownEvidence) && !isOpened(shownEvidence);
    if (!stays)
      setShownEvidence(
        pinned.find((key) => !isOpened(key)) ?? pinned[(pinned.indexOf(shownEvidence ?? '') + 1) % pinned.length],
      );
    setEvidenceAsked((times) => times + 1);
    return true;
  };
  const showEvidence = (key: string | undefined): void => {
    setShownEvidence(key);
    setEvidenceAsked(0);
  };
  const read = (): boolean => {
    requestAnimationFrame(() => heading.current?.focus());
    return true;
  };
  const open = ({ approvalId: id }: Approval): void => {
    if (approvalAskedFor() !== id) show(id, narrow !== true);
    // The heading exists once the approval is displayed; until then it belongs to the previous one.
    itemKeys.press(read);
  };
  const unlessInDialog = (run: () => void) => (): void => {
    if (document.activeElement?.closest('[role="dialog"]') instanceof Element) return;
    run();
  };
  const offered = (may: boolean, run: () => void): (() => void) | undefined => (may ? unlessInDialog(run) : undefined);
  const decides = host.may('approver') && host.offline !== true;
  /** For the approval that is displayed or about to be. */
  const ofItem = (may: boolean, run: () => void) => ({ run: unlessInDialog(run), when: () => may || isLoading() });
  useShortcuts([
    { action: 'inbox.approve', ...ofItem(votes, act('approve')), when: () => votes || (decides && isLoading()) },
    { action: 'inbox.reject', ...ofItem(votes, act('reject')), when: () => votes || (decides && isLoading()) },
    {
      action: 'inbox.requestChanges',
      ...ofItem(votes, act('request_changes')),
      when: () => votes || (decides && isLoading()),
    },
    { action: 'inbox.evidence', ...ofItem(pinnedOf(current).length > 0, () => itemKeys.press(nextEvidence)) },
    { action: 'inbox.next', run: offered(showsList, () => list.current?.move(1)) },
    { action: 'inbox.previous', run: offered(showsList, () => list.current?.move(-1)) },
    { action: 'inbox.open', ...ofItem(current !== undefined, () => itemKeys.press(read)) },
    { action: 'inbox.select', run: unlessInDialog(select), when: () => listed() !== undefined },
    { action: 'inbox.search', run: offered(showsList, () => search.current?.focus()) },
    ...(snoozing === undefined
      ? []
      : [
          {
            action: 'inbox.snooze',
            ...ofItem(current !== undefined && snoozing.may(current), () => itemKeys.press(snoozing.begin)),
          },
        ]),
    ...INBOX_SECTIONS.filter((section) => section !== 'snoozed' || snoozing !== undefined).map((section) => ({
      action: `inbox.${section}`,
      run: offered(showsList && sections.some(({ id }) => id === section), () => list.current?.goTo(section)),
    })),
  ]);
  const keyOfNext = useKeysOf('inbox.next');
  const keyOfPrevious = useKeysOf('inbox.previous');
  const showsDecision = narrow !== true || approvalId !== undefined;

  return (
    <Page
      title={t.title}
      window={windowName(
        sections,
        approvalId === undefined
          ? t.title
          : t.windowOf(current === undefined ? t.decision : oneLine(current.title, 80)),
      )}
      actions={!showsList && <BackButton onBack={() => show(undefined)} />}
    >
      {notice}
      {itemKeys.waits && (
        <Text size="sm" mb={6} role="status">
          {t.itemKeys.waits}
        </Text>
      )}
      <div className="cs-approvals" data-narrow={narrow === true}>
        {showsList && (
          <Paper withBorder className="cs-approvals-list">
            <div className="cs-approvals-tools">
              <Search ref={search} q={q} onSearch={address.setQ} onLeave={() => list.current?.move(1)} />
              {filter}
            </div>
            <InboxList
              ref={list}
              rows={rows}
              current={approvalId}
              goingTo={approvalAskedFor}
              pendingVotes={entries}
              chosen={choice.ids}
              canChoose={choice.may}
              onChoose={choice.toggle}
              onCurrent={(approval) => show(approval.approvalId, narrow !== true)}
              onOpen={open}
              onToggle={address.toggle}
              onLoadMore={loadMore}
            />
            <BulkBar
              chosen={choice.approvals}
              onApprove={() => togetherStoreOf(client).begin(choice.approvals, seen, choice.clear)}
              onClear={choice.clear}
            />
          </Paper>
        )}
        {showsDecision && (
          <Paper withBorder className="cs-approvals-decision">
            {approvalId === undefined ? (
              <EmptyState title={t.pick} hint={t.pickHint(keyOfNext, keyOfPrevious)} />
            ) : (
              <DecisionPane
                key={approvalId}
                approvalId={approvalId}
                listed={items.find((each) => each.approvalId === approvalId)}
                entry={entries.find(({ approval }) => approval.approvalId === approvalId)}
                form={forms.of(approvalId)}
                left={forms.left(current)}
                seen={seen}
                shownEvidence={shownEvidence}
                evidenceAsked={evidenceAsked}
                headingRef={heading}
                onShown={setShown}
                onForm={setForm}
                onSend={(approval, draft) => {
                  pendingVotes.put(
                    approval,
                    draft,
                    opensSigningDialog(approval, host, draft.editedArguments !== undefined),
                  );
                  forms.close(approval);
                  list.current?.focus();
                }}
                onShowEvidence={showEvidence}
                onEvidenceSeen={seenStore.add}
                onOpenApproval={(id) => show(id)}
                onSnooze={snoozing?.begin}
              />
            )}
          </Paper>
        )}
      </div>
      {snoozing?.approval !== undefined && (
        <SnoozeDialog approval={snoozing.approval} onClose={snoozing.end} onSnooze={snoozing.snooze} />
      )}
    </Page>
  );
}

/**
 * Returns the window title with the number of waiting approvals, if the list separates the user's approvals from
 * others.
 */
function windowName(sections: Sections['sections'], shown: string): string {
  const mine = sections.find(({ id }) => id === 'mine');
  return mine === undefined ? shown : t.waitingIn(mine.items.length, !mine.hasMore, shown);
}

function BackButton({ onBack }: { onBack(): void }) {
  return (
    <Button variant="default" size="xs" leftSection={<IconArrowLeft size={14} aria-hidden />} onClick={onBack}>
      {t.back}
    </Button>
  );
}

interface SearchProps {
  readonly ref: React.Ref<HTMLInputElement>;
  readonly q: string;
  onSearch(q: string): void;
  /** Called on Enter or Arrow Down, to move to the results. */
  onLeave(): void;
}

function Search({ ref, q, onSearch, onLeave }: SearchProps) {
  const [text, type] = useTypedText(q, onSearch);
  return (
    <TextInput
      ref={ref}
      type="search"
      size="sm"
      flex={1}
      aria-label={t.search}
      placeholder={t.search}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key === 'Enter' || event.key === 'ArrowDown') onLeave();
      }}
    />
  );
}
