import type { ApprovalStatus, Client, InboxItem, Question } from '@countersign/contract';
import { useEffect, useMemo, useState } from 'react';
import { queryKeys } from '../api/query-keys.js';
import { useClient } from '../api/client-context.js';
import { interleaveLists, isQuestion, useInboxHost, type InboxSection, type InboxSectionId } from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { usePages, type Pages } from '../ui/use-pages.js';
import {
  isEmptyFilter,
  toApprovalQuery,
  toQuestionQuery,
  type ApprovalFilter,
  type ApprovalQuery,
} from './approval-filter.js';
import { useMyQuestions } from './use-my-questions.js';

const PAGE_SIZE = 100;
/** Pause between reloads: what changes only with the time, such as the end of a delegation, is not in the change feed. */
const RELOAD_MS = 5 * 60_000;
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
  const approvalSection = toSection('mine', t.sections.mine, mine, filter);
  // What is not stored on this device is missing while the server does not respond, as the notice above the list says.
  const mineSection =
    offline === true && questions.query.isLoadingError ? approvalSection : addQuestions(approvalSection, questions);
  const snoozedApprovals =
    snooze === undefined
      ? []
      : mineSection.items.filter((item) => !isQuestion(item) && snooze.snoozedUntil(item) !== undefined);
  const unsnoozedSection =
    snoozedApprovals.length === 0
      ? mineSection
      : { ...mineSection, items: mineSection.items.filter((item) => !snoozedApprovals.includes(item)) };
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
      pages[section].loadMore();
      if (section === 'mine') questions.loadMore();
    },
  };
}

/** Returns all approvals that wait for the user. */
export function useMyApprovals(): Pages<InboxItem> {
  return useApprovals(MY_APPROVALS, {});
}

/** Adds the questions to the section with the user's approvals. */
function addQuestions(section: InboxSection, { items, query }: Pages<Question>): InboxSection {
  return {
    ...section,
    items: interleaveLists([section, { items, hasMore: query.hasNextPage }]),
    hasMore: section.hasMore || query.hasNextPage,
    loading: section.loading || query.isPending || query.isFetchingNextPage,
    error: section.error ?? query.error,
    isIncomplete: section.isIncomplete === true || query.isLoadingError,
  };
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
  { items, query }: Pages<InboxItem>,
  filter: ApprovalFilter,
): InboxSection {
  return {
    id,
    label,
    items,
    hasMore: query.hasNextPage,
    loading: query.isPending || query.isFetchingNextPage,
    emptyText: isEmptyFilter(filter) ? t.nothing[id] : t.nothing.found,
    error: query.error,
    isIncomplete: query.isLoadingError,
  };
}
