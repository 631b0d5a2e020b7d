import type { ApprovalStatus, Client, InboxItem, Question } from '@countersign/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { queryKeys } from '../api/query-keys.js';
import { useClient } from '../api/client-context.js';
import {
  findListToContinue,
  isQuestion,
  useInboxHost,
  type InboxSection,
  type InboxSectionId,
} from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { usePages, type Pages } from '../ui/use-pages.js';
import {
  isEmptyFilter,
  toApprovalQuery,
  toFilterText,
  toQuestionQuery,
  type ApprovalFilter,
  type ApprovalQuery,
} from './approval-filter.js';
import { combineLists } from './combine-lists.js';
import { RELOAD_MS } from './reload-ms.js';
import { useMyQuestions } from './use-my-questions.js';

const PAGE_SIZE = 100;
/** Number of items of a list that are loaded without scrolling, because items of the other list may belong among them. */
const MAX_LOADED_AHEAD = 300;
const t = texts.approvals;

export interface Sections {
  readonly sections: readonly InboxSection[];
  loadMore(section: InboxSectionId): void;
}

type ListQuery = NonNullable<Parameters<Client['listInbox']>[0]>;

const MY_APPROVALS = Object.freeze({ inbox: 'mine', sort: 'urgency' } as const);

/** Returns the inbox sections of an approver. */
export function useApproverSections(filter: ApprovalFilter): Sections {
  const search = useApprovalQuery(filter);
  const mine = useApprovals(MY_APPROVALS, search);
  const questions = useMyQuestions(toQuestionQuery(search));
  const others = useApprovals({ inbox: 'others', sort: 'urgency' }, search);
  const decided = useApprovals({ inbox: 'decided', status: 'all' }, search);
  const pages: Readonly<Record<InboxSectionId, Pages<InboxItem>>> = { mine, snoozed: mine, others, decided };
  const { snooze, offline } = useInboxHost();
  const isChanging = useIsChanging(toFilterText(filter), [mine, questions]);
  useLoadAhead(mine, questions);
  const approvalSection = toSection('mine', t.sections.mine, mine, filter);
  // What is not stored on this device is missing while the server does not respond, as the notice above the list says.
  const mineSection =
    offline === true && questions.query.isLoadingError
      ? approvalSection
      : addQuestions(approvalSection, mine, questions);
  const snoozedApprovals = mine.items.filter((approval) => snooze?.snoozedUntil(approval) !== undefined);
  const snoozedIds = new Set(snoozedApprovals.map(({ approvalId }) => approvalId));
  const unsnoozedSection: InboxSection = {
    ...mineSection,
    items: mineSection.items.filter((item) => isQuestion(item) || !snoozedIds.has(item.approvalId)),
    hasMore: mineSection.hasMore || isChanging,
    loading: mineSection.loading || isChanging,
  };
  const snoozed: InboxSection = {
    id: 'snoozed',
    label: t.sections.snoozed,
    items: snoozedApprovals,
    hasMore: false,
    loading: false,
    emptyText: t.nothing.snoozed,
  };
  return {
    sections: [
      unsnoozedSection,
      ...(snoozedApprovals.length === 0 ? [] : [snoozed]),
      toSection('others', t.sections.others, others, filter),
      toSection('decided', t.sections.decided, decided, filter),
    ],
    loadMore: (section) => {
      if (section === 'mine' && !mine.hasMore) questions.loadMore();
      else pages[section].loadMore();
    },
  };
}

/** Returns all approvals that wait for the user. */
export function useMyApprovals(): Pages<InboxItem> {
  return useApprovals(MY_APPROVALS, {});
}

/** Adds the questions to the section with the user's approvals. */
function addQuestions(section: InboxSection, approvals: Pages<InboxItem>, questions: Pages<Question>): InboxSection {
  const { query } = questions;
  return {
    ...section,
    ...combineLists(approvals, questions),
    loading: section.loading || query.isPending || query.isFetchingNextPage,
    error: section.error ?? query.error,
    onRetry: () => {
      for (const each of [approvals.query, query]) if (each.isError) void each.refetch();
    },
    isIncomplete: section.isIncomplete === true || query.isLoadingError,
  };
}

/** Loads pages of both lists until each question is among the approvals where it belongs. */
function useLoadAhead(approvals: Pages<InboxItem>, questions: Pages<Question>): void {
  const listToContinue = findListToContinue(approvals, questions);
  const pages = listToContinue === 'approvals' ? approvals : questions;
  const { isFetching, isError, isPlaceholderData } = pages.query;
  const isNeeded =
    listToContinue !== undefined &&
    pages.items.length < MAX_LOADED_AHEAD &&
    !approvals.query.isPending &&
    !isFetching &&
    !isError &&
    !isPlaceholderData;
  const latest = useRef(pages);
  latest.current = pages;
  useEffect(() => {
    if (isNeeded) latest.current.loadMore();
  }, [isNeeded, listToContinue]);
}

/**
 * Returns whether a list still contains the items of another filter. The filter is the same while only its due range
 * moves on.
 */
function useIsChanging(filterText: string, lists: readonly Pages<unknown>[]): boolean {
  const loadedFilter = useRef<string>(undefined);
  const isPlaceholder = lists.some(({ query }) => query.isPlaceholderData);
  if (!isPlaceholder) loadedFilter.current = filterText;
  return isPlaceholder && loadedFilter.current !== filterText;
}

/** Returns the sections for users who cannot decide: one section with all approvals of a status. */
export function useReaderSections(filter: ApprovalFilter, status: ApprovalStatus | 'all'): Sections {
  const pages = useApprovals({ status, sort: status === 'pending' ? 'urgency' : 'newest' }, useApprovalQuery(filter));
  return {
    sections: [
      {
        ...toSection('others', status === 'all' ? t.everyStatus : texts.approvalStatus[status], pages, filter),
        emptyText: isEmptyFilter(filter) ? t.nothing.all : t.nothing.found,
      },
    ],
    loadMore: () => pages.loadMore(),
  };
}

/** Returns the query of a filter. A due range moves on once a minute. */
function useApprovalQuery(filter: ApprovalFilter): ApprovalQuery {
  const [now, setNow] = useState(Date.now);
  const hasDueRange = filter.due !== undefined;
  useEffect(() => {
    setNow(Date.now());
    if (!hasDueRange) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, [hasDueRange]);
  return useMemo(() => toApprovalQuery(filter, now), [filter, now]);
}

function useApprovals(list: ListQuery, search: ApprovalQuery): Pages<InboxItem> {
  const client = useClient();
  const filter = { ...list, ...search };
  return usePages(
    queryKeys.inbox(filter),
    (cursor, signal) =>
      client.listInbox({ ...filter, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
    RELOAD_MS,
  );
}

function toSection(
  id: InboxSectionId,
  label: string,
  { items, hasMore, query }: Pages<InboxItem>,
  filter: ApprovalFilter,
): InboxSection {
  return {
    id,
    label,
    items,
    hasMore,
    loading: query.isPending || query.isFetchingNextPage,
    emptyText: isEmptyFilter(filter) ? t.nothing[id] : t.nothing.found,
    error: query.error,
    onRetry: () => void query.refetch(),
    isIncomplete: query.isLoadingError,
  };
}
