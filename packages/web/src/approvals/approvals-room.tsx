import { Button, Paper, TextInput } from '@mantine/core';
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import type { Approval } from '@countersign/contract';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useClient } from '../api/client-context.js';
import {
  BulkBar,
  BulkDialog,
  INBOX_SECTIONS,
  InboxList,
  OutboxBar,
  SnoozeDialog,
  asksToSign,
  evidenceKey,
  formFor,
  formOf,
  inboxRows,
  lacksKey,
  mayVote,
  oneLine,
  useInboxHost,
  type FormDraft,
  type InboxListHandle,
  type OutboxEntry,
} from '../inbox/index.js';
import { useKeysOf, useShortcuts } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { EmptyState } from '../ui/empty-state.js';
import { Page } from '../ui/page.js';
import { DecisionPane } from './decision-pane.js';
import { newKey } from '../api/new-key.js';
import { approvalAskedFor, useApprovalsAddress } from './use-approvals-address.js';
import { useChoice } from './use-choice.js';
import { useForms } from './use-forms.js';
import { useOutbox } from './use-outbox.js';
import { useSnoozing } from './use-snoozing.js';
import type { Sections } from './use-sections.js';
import './approvals.css';

const t = texts.approvals;

interface ApprovalsRoomProps extends Sections {
  /** What is said above it. */
  readonly notice?: ReactNode;
  /** What else narrows the list. */
  readonly filter?: ReactNode;
}

/** The list on the left and the approval on the right; where there is little room, one after the other. */
export function ApprovalsRoom({ sections, loadMore, notice, filter }: ApprovalsRoomProps) {
  const address = useApprovalsAddress();
  const { approvalId, q, closed, show } = address;
  const client = useClient();
  const host = useInboxHost();
  const { outbox, entries } = useOutbox();
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const list = useRef<InboxListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [shownEvidence, setShownEvidence] = useState<string>();
  const [shown, setShown] = useState<Approval>();
  const [together, setTogether] = useState<readonly Approval[]>();
  const snoozing = useSnoozing(() => list.current?.focus());
  const rows = inboxRows(sections, closed);
  const items = useMemo(() => rows.flatMap((row) => (row.kind === 'item' ? [row.approval] : [])), [rows]);
  const choice = useChoice(items);
  const current = shown?.approvalId === approvalId ? shown : undefined;

  const showsList = narrow !== true || approvalId === undefined;
  const isUnderWay = (id: string): boolean =>
    entries.some(
      ({ approval, state }) =>
        approval.approvalId === id && (state === 'grace' || state === 'sending' || state === 'unsettled'),
    );
  const votes = current !== undefined && mayVote(current, host) && !isUnderWay(current.approvalId);
  const opens = ({ act: to }: FormDraft): boolean =>
    votes ||
    (to === 'edit' &&
      current !== undefined &&
      host.offline !== true &&
      lacksKey(current, host) &&
      !isUnderWay(current.approvalId));
  const forms = useForms({ current, opens, isUnderWay });
  const setForm = forms.set;
  const act = (to: 'approve' | 'reject' | 'request_changes'): void => {
    if (current !== undefined) setForm(current, formFor(to, current, forms.of(current.approvalId)));
  };
  useEffect(() => {
    const reason = votes ? address.takeReason() : undefined;
    if (current !== undefined && reason !== undefined)
      setForm(current, { ...formFor('reject', current), comment: reason });
  });
  const undo = (id?: string): void => {
    const entry = outbox.undo(id);
    if (entry === undefined) return;
    // What was said is not lost by taking it back.
    setForm(entry.approval, formOf(entry.draft));
    if (entry.approval.approvalId !== approvalId) show(entry.approval.approvalId);
  };
  const look = (entry: OutboxEntry): void => {
    outbox.dismiss(entry.approval.approvalId);
    if (entry.state === 'refused') setForm(entry.approval, formOf(entry.draft));
    show(entry.approval.approvalId);
  };
  const pinned = (current?.subject.evidence ?? []).filter(({ sha256 }) => sha256 !== null).map(evidenceKey);
  const nextEvidence = (): void => {
    const next =
      pinned.find((key) => !opened.has(key) && key !== shownEvidence) ??
      pinned[(pinned.indexOf(shownEvidence ?? '') + 1) % Math.max(1, pinned.length)];
    setShownEvidence(next);
  };
  const openCurrent = (approval: Approval): void => {
    show(approval.approvalId, narrow !== true);
    requestAnimationFrame(() => heading.current?.focus());
  };
  const unlessInDialog = (run: () => void) => (): void => {
    if (document.activeElement?.closest('[role="dialog"]') instanceof Element) return;
    run();
  };
  const offered = (may: boolean, run: () => void): (() => void) | undefined => (may ? unlessInDialog(run) : undefined);
  useShortcuts([
    { action: 'inbox.approve', run: offered(votes, () => act('approve')) },
    { action: 'inbox.reject', run: offered(votes, () => act('reject')) },
    { action: 'inbox.requestChanges', run: offered(votes, () => act('request_changes')) },
    {
      action: 'inbox.undo',
      run: offered(
        entries.some(({ state }) => state === 'grace'),
        () => undo(),
      ),
    },
    { action: 'inbox.evidence', run: offered(pinned.length > 0, nextEvidence) },
    { action: 'inbox.next', run: offered(showsList, () => list.current?.move(1)) },
    { action: 'inbox.previous', run: offered(showsList, () => list.current?.move(-1)) },
    { action: 'inbox.open', run: offered(current !== undefined, () => current !== undefined && openCurrent(current)) },
    {
      action: 'inbox.select',
      run: offered(current !== undefined && choice.may(current), () => current !== undefined && choice.toggle(current)),
    },
    { action: 'inbox.search', run: offered(showsList, () => search.current?.focus()) },
    ...(snoozing === undefined
      ? []
      : [
          {
            action: 'inbox.snooze',
            run: offered(
              current !== undefined && snoozing.may(current),
              () => current !== undefined && snoozing.begin(current),
            ),
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
              outbox={entries}
              chosen={choice.ids}
              canChoose={choice.may}
              onChoose={choice.toggle}
              onCurrent={(approval) => show(approval.approvalId, narrow !== true)}
              onOpen={openCurrent}
              onToggle={address.toggle}
              onLoadMore={loadMore}
            />
            <BulkBar chosen={choice.approvals} onApprove={() => setTogether(choice.approvals)} onClear={choice.clear} />
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
                opened={opened}
                shownEvidence={shownEvidence}
                headingRef={heading}
                onShown={setShown}
                onForm={setForm}
                onSend={(approval, draft) => {
                  outbox.put(approval, draft, asksToSign(approval, host, draft.editedArguments !== undefined));
                  forms.close(approval);
                  list.current?.focus();
                }}
                onShowEvidence={setShownEvidence}
                onEvidenceOpened={(key) => setOpened((keys) => new Set(keys).add(key))}
                onOpenApproval={(id) => show(id)}
                onSnooze={snoozing?.begin}
              />
            )}
          </Paper>
        )}
      </div>
      <OutboxBar
        entries={entries}
        onUndo={undo}
        onSettle={(id) => outbox.settle(id)}
        onDismiss={(id) => outbox.dismiss(id)}
        onLook={look}
      />
      {snoozing?.approval !== undefined && (
        <SnoozeDialog approval={snoozing.approval} onClose={snoozing.end} onSnooze={snoozing.snooze} />
      )}
      {together !== undefined && (
        <BulkDialog
          chosen={together}
          newKey={newKey}
          onSend={(chosen, idempotencyKey) =>
            client.decideApprovals(
              {
                body: {
                  decisions: chosen.map((each) => ({
                    approvalId: each.approvalId,
                    decision: 'approve',
                    expectedDigest: each.digest,
                    round: each.round,
                  })),
                },
              },
              { idempotencyKey },
            )
          }
          onClose={() => {
            setTogether(undefined);
            choice.clear();
          }}
        />
      )}
    </Page>
  );
}

/** Says how many wait, where one's own turn is told from that of others. */
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
  /** Enter or the arrow down: on to what was found. */
  onLeave(): void;
}

function Search({ ref, q, onSearch, onLeave }: SearchProps) {
  const [text, setText] = useState(q);
  const settle = useDebouncedCallback(onSearch, 200);
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
      onChange={(event) => {
        setText(event.currentTarget.value);
        settle(event.currentTarget.value.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key === 'Enter' || event.key === 'ArrowDown') onLeave();
      }}
    />
  );
}
