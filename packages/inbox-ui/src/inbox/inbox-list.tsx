import { Loader, Text, UnstyledButton } from '@mantine/core';
import type { InboxItem } from '@countersign/contract';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useRef, type KeyboardEvent, type Ref } from 'react';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { ApprovalRowContent } from './approval-row.js';
import type { InboxRow, InboxSection, InboxSectionId } from './inbox-sections.js';
import { findRowToMoveTo } from './find-row-to-move-to.js';
import { getItemId, isQuestion, type ListedItem } from './listed-item.js';
import { canStillCount, type PendingVote } from './pending-vote.js';
import { QuestionRowContent } from './question-row.js';
import './inbox.css';

/** Handle with which the page's key actions control the list. */
export interface InboxListHandle {
  /** Moves to the next item (1) or the previous one (-1). */
  move(by: 1 | -1): void;
  /** Focuses the displayed item. */
  focus(): void;
  /**
   * Opens an item and focuses its row, if it is visible.
   *
   * @param isImmediate passed to `onCurrent`
   */
  open(item: ListedItem, isImmediate: boolean): void;
  /** Focuses the first item of a section, or its header if no item is visible. */
  goTo(section: InboxSectionId): void;
}

interface InboxListProps {
  readonly rows: readonly InboxRow[];
  /** Name of the list for screen readers. */
  readonly label: string;
  /** Id of the displayed item. */
  readonly current: string | undefined;
  /**
   * Returns the id of the item that was requested last. It may still be loading; keys pressed in the meantime move
   * on from it.
   */
  readonly getRequestedId: () => string | undefined;
  readonly pendingVotes: readonly PendingVote[];
  readonly selectedIds: ReadonlySet<string>;
  readonly ref?: Ref<InboxListHandle>;
  /**
   * Called when the keys have moved to an item or the user has clicked it. Displays the item and has no other effect.
   *
   * @param isImmediate whether the item is displayed in one render with other changes of the same event
   */
  onCurrent(item: ListedItem, isImmediate: boolean): void;
  /** Called on Enter, to read the item. */
  onOpen(item: ListedItem): void;
  canChoose(approval: InboxItem): boolean;
  onChoose(approval: InboxItem): void;
  onToggle(section: InboxSectionId): void;
  onLoadMore(section: InboxSectionId): void;
}

/** In px. Items are higher if their title or summary takes two lines, and then measured. */
const ROW_HEIGHTS: Readonly<Record<InboxRow['kind'], number>> = { section: 36, item: 84, empty: 48 };

/** Approvals and questions in sections. Only the visible rows of a long list are in the document. */
export function InboxList(props: InboxListProps) {
  const {
    rows,
    label,
    current,
    getRequestedId,
    pendingVotes,
    selectedIds,
    ref,
    onCurrent,
    onOpen,
    canChoose,
    onChoose,
    onToggle,
    onLoadMore,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const position = useRef(-1);
  const currentIndex = rows.findIndex(({ kind, key }) => kind === 'item' && key === current);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ROW_HEIGHTS[rows[index]?.kind ?? 'item'],
    overscan: 8,
    getItemKey: (index) => rows[index]?.key ?? index,
    indexAttribute: 'data-row',
    // The rows beyond the visible ones are rendered in time, without a forced layout while the next item is displayed.
    useFlushSync: false,
  });
  const visibleItems = virtual.getVirtualItems();

  // Loads while scrolling: each section as soon as its end is visible.
  const visibleIndexes = visibleItems.map(({ index }) => index).join();
  useEffect(() => {
    for (const { index } of virtual.getVirtualItems()) {
      const row = rows[index];
      const next = rows[index + 1];
      const section = row === undefined ? undefined : findSection(rows, row);
      if (
        section !== undefined &&
        row?.kind !== 'section' &&
        section.hasMore &&
        !section.loading &&
        (next === undefined || next.kind === 'section')
      )
        onLoadMore(section.id);
    }
  }, [virtual, visibleIndexes, rows, onLoadMore]);

  const focusRow = (index: number): void => {
    virtual.scrollToIndex(index);
    const focus = (): boolean => {
      const row = scroller.current?.querySelector<HTMLElement>(
        `[data-index="${index}"], [data-head="${index}"] button`,
      );
      row?.focus({ preventScroll: true });
      return row !== null && row !== undefined;
    };
    if (focus()) return;
    // Until the row is rendered, the list has the focus, so that a key press does not reach a button outside the list.
    scroller.current?.focus({ preventScroll: true });
    requestAnimationFrame(focus);
  };
  const goTo = (index: number, isImmediate = false): void => {
    const row = rows[index];
    if (row?.kind !== 'item') return;
    position.current = index;
    onCurrent(row.item, isImmediate);
    focusRow(index);
  };
  const move = (by: 1 | -1): void => goTo(findRowToMoveTo(rows, getRequestedId(), position.current, by));
  const goToSection = (id: InboxSectionId): void => {
    const head = rows.findIndex((row) => row.kind === 'section' && row.section.id === id);
    const items = rows.flatMap((row, index) => (row.kind === 'item' && row.section === id ? [index] : []));
    // Skips approvals with a pending vote.
    const next = items.find(
      (index) => !pendingVotes.some((entry) => canStillCount(entry) && entry.approval.approvalId === rows[index]?.key),
    );
    if (items[0] !== undefined) goTo(next ?? items[0]);
    else if (head >= 0) focusRow(head);
  };
  useImperativeHandle(ref, () => ({
    move,
    focus: () => currentIndex >= 0 && focusRow(currentIndex),
    open: (item, isImmediate) => {
      const index = rows.findIndex(({ kind, key }) => kind === 'item' && key === getItemId(item));
      if (index >= 0) goTo(index, isImmediate);
      else onCurrent(item, isImmediate);
    },
    goTo: goToSection,
  }));

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    const isList = event.target === event.currentTarget;
    if (!isList && (row === null || row !== event.target)) return;
    const items = rows.flatMap(({ kind }, index) => (kind === 'item' ? [index] : []));
    const focusedRow = rows[isList ? position.current : Number(row?.dataset['index'])];
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Home') goTo(items[0] ?? -1);
    else if (event.key === 'End') goTo(items.at(-1) ?? -1);
    else if (event.key === 'Enter' && focusedRow?.kind === 'item') onOpen(focusedRow.item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const first = rows.findIndex(({ kind }) => kind === 'item');

  return (
    <div
      className="cs-inbox-list"
      ref={scroller}
      tabIndex={-1}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.some((row) => row.kind === 'section' && row.section.hasMore) ? -1 : rows.length}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" style={{ position: 'relative', height: virtual.getTotalSize() }}>
        {visibleItems.map(({ index, start, size }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const transform = `translateY(${start}px)`;
          /** For rows whose height depends on their content, such as an error instead of the empty text. */
          const measuredProps = {
            'ref': virtual.measureElement,
            'data-row': index,
            'style': { minHeight: ROW_HEIGHTS[row.kind], transform },
          };
          if (row.kind !== 'item') {
            const rowProps = row.kind === 'empty' ? measuredProps : { style: { height: size, transform } };
            return (
              <div
                key={row.key}
                role="row"
                aria-rowindex={index + 1}
                data-head={row.kind === 'section' ? index : undefined}
                className={`cs-inbox-${row.kind}`}
                {...rowProps}
              >
                <div role="gridcell">
                  {row.kind === 'section' ? (
                    <SectionHeader row={row} onToggle={onToggle} />
                  ) : (
                    <EmptySection section={row.section} />
                  )}
                </div>
              </div>
            );
          }
          const { item } = row;
          return (
            <div
              key={row.key}
              role="row"
              aria-rowindex={index + 1}
              aria-selected={isQuestion(item) ? undefined : selectedIds.has(row.key)}
              aria-current={row.key === current}
              data-index={index}
              tabIndex={index === (currentIndex >= 0 ? currentIndex : first) ? 0 : -1}
              className="cs-inbox-item"
              {...measuredProps}
              onClick={(event) => {
                if ((event.target as HTMLElement).closest('input, label, a, button') !== null) return;
                position.current = index;
                onCurrent(item, false);
              }}
            >
              <div role="gridcell" className="cs-inbox-cell">
                {isQuestion(item) ? (
                  <QuestionRowContent question={item} />
                ) : (
                  <ApprovalRowContent
                    approval={item}
                    entry={pendingVotes.find((each) => each.approval.approvalId === row.key)}
                    isSelected={selectedIds.has(row.key)}
                    {...(canChoose(item) ? { onChoose } : {})}
                  />
                )}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function findSection(rows: readonly InboxRow[], row: InboxRow): InboxSection | undefined {
  if (row.kind !== 'item') return row.section;
  const head = rows.find((each) => each.kind === 'section' && each.section.id === row.section);
  return head?.kind === 'section' ? head.section : undefined;
}

function SectionHeader({
  row: { section, open },
  onToggle,
}: {
  readonly row: Extract<InboxRow, { kind: 'section' }>;
  onToggle(section: InboxSectionId): void;
}) {
  const { id, label, items, hasMore, loading } = section;
  return (
    <UnstyledButton className="cs-inbox-head" aria-expanded={open} onClick={() => onToggle(id)}>
      {open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
      <Text component="span" size="sm" fw={600}>
        {label}
      </Text>
      <Text component="span" size="sm" c="dimmed">
        {texts.app.rows(items.length, !hasMore)}
      </Text>
      {loading && <Loader size={12} aria-label={texts.app.loading} />}
    </UnstyledButton>
  );
}

function EmptySection({ section: { error, loading, emptyText, onRetry } }: { readonly section: InboxSection }) {
  if (error !== undefined && error !== null)
    return <ProblemNotice error={error} {...(onRetry === undefined ? {} : { onRetry })} />;
  return (
    <Text size="sm" c="dimmed" px="md">
      {loading ? texts.app.loading : emptyText}
    </Text>
  );
}
