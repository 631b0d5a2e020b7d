import type { Approval, ApprovalStatus, Client } from '@countersign/contract';
import { queryKeys } from '../api/query-keys.js';
import { useClient } from '../api/client-context.js';
import { useInboxHost, type InboxSection, type InboxSectionId } from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { usePages, type Pages } from '../ui/use-pages.js';

const PAGE_SIZE = 100;
const t = texts.approvals;

export interface Sections {
  readonly sections: readonly InboxSection[];
  loadMore(section: InboxSectionId): void;
}

type Filter = NonNullable<Parameters<Client['listApprovals']>[0]>;

/**
 * Returns the inbox sections of an approver.
 *
 * @param q search text; empty: no search
 */
export function useApproverSections(q: string): Sections {
  const mine = useMyApprovals(q);
  const others = useApprovals({ inbox: 'others', sort: 'urgency' }, q);
  const decided = useApprovals({ inbox: 'decided', status: 'all' }, q);
  const pages: Readonly<Record<InboxSectionId, Pages<Approval>>> = { mine, snoozed: mine, others, decided };
  const { snooze } = useInboxHost();
  const mineSection = toSection('mine', t.sections.mine, mine, q);
  const snoozedApprovals =
    snooze === undefined ? [] : mineSection.items.filter((approval) => snooze.snoozedUntil(approval) !== undefined);
  const unsnoozedSection =
    snoozedApprovals.length === 0
      ? mineSection
      : { ...mineSection, items: mineSection.items.filter((approval) => !snoozedApprovals.includes(approval)) };
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
      toSection('others', t.sections.others, others, q),
      toSection('decided', t.sections.decided, decided, q),
    ],
    loadMore: (section) => pages[section].loadMore(),
  };
}

/** Returns the approvals that wait for the user. */
export function useMyApprovals(q: string): Pages<Approval> {
  return useApprovals({ inbox: 'mine', sort: 'urgency' }, q);
}

/** Returns the sections for users who cannot decide: one section with all approvals of a status. */
export function useReaderSections(q: string, status: ApprovalStatus | 'all'): Sections {
  const pages = useApprovals({ status, sort: status === 'pending' ? 'urgency' : 'newest' }, q);
  return {
    sections: [
      {
        ...toSection('others', status === 'all' ? t.everyStatus : texts.approvalStatus[status], pages, q),
        emptyText: q === '' ? t.nothing.all : t.nothing.found,
      },
    ],
    loadMore: () => pages.loadMore(),
  };
}

function useApprovals(filter: Filter, q: string): Pages<Approval> {
  const client = useClient();
  const searchFilter = { ...filter, ...(q === '' ? {} : { q }) };
  return usePages(queryKeys.approvals(searchFilter), (cursor, signal) =>
    client.listApprovals(
      { ...searchFilter, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    ),
  );
}

function toSection(id: InboxSectionId, label: string, { items, query }: Pages<Approval>, q: string): InboxSection {
  return {
    id,
    label,
    items,
    hasMore: query.hasNextPage,
    loading: query.isPending || query.isFetchingNextPage,
    emptyText: q === '' ? t.nothing[id] : t.nothing.found,
    error: query.error,
  };
}
