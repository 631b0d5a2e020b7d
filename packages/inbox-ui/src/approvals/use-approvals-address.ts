import { APPROVAL_STATUSES, type ApprovalStatus } from '@countersign/contract';
import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useParams } from 'react-router';
import { INBOX_SECTIONS, type InboxSectionId } from '../inbox/index.js';
import { getItemPath, isApprovalsPage, type ItemRef } from './approvals-path.js';
import { normalizeFilterText, parseApprovalFilter, setApprovalFilter, type ApprovalFilter } from './approval-filter.js';
import { useAddressQuery } from '../ui/use-address-query.js';
import { mergeQuery } from '../ui/merge-query.js';

export interface ApprovalsAddress {
  /** The displayed approval. */
  readonly approvalId: string | undefined;
  /** The displayed question, in the place of an approval. */
  readonly questionId: string | undefined;
  readonly filter: ApprovalFilter;
  readonly status: ApprovalStatus | 'all';
  /** Collapsed sections of the list. */
  readonly collapsed: ReadonlySet<InboxSectionId>;
  /** Sets the search text. It adds no history entry, because it changes while the user types. */
  setSearch(q: string): void;
  setFilter(filter: ApprovalFilter): void;
  setStatus(status: ApprovalStatus | 'all'): void;
  toggle(section: InboxSectionId): void;
  /**
   * Opens an approval or a question; `undefined`: closes it.
   *
   * @param replace whether to replace the history entry, so that moving through the list adds no entries
   * @param isImmediate see `NavigationOptions`
   */
  show(item: ItemRef | undefined, replace?: boolean, isImmediate?: boolean): void;
  /**
   * Takes the rejection comment that the user wrote in a desktop notification, for the form of the displayed approval.
   *
   * @returns the comment on the first call; later `undefined`
   */
  takeRejectReason(): string | undefined;
}

/** Keeps the state of the approvals page in its address, so that every view can be linked to. */
export function useApprovalsAddress(): ApprovalsAddress {
  const { approvalId, questionId } = useParams();
  const [query, change] = useAddressQuery(isApprovalsPage);
  const { state, key } = useLocation() as {
    readonly state: { readonly rejectWith?: unknown } | null;
    readonly key: string;
  };
  const consumedLocationKey = useRef<string>(undefined);
  const filterText = normalizeFilterText(query.toString());
  const filter = useMemo(() => parseApprovalFilter(new URLSearchParams(filterText)), [filterText]);
  const setParam = (name: string, value: string): void =>
    change((before) => mergeQuery(before, { [name]: value }), { replace: true });
  const collapsedSections = new Set(INBOX_SECTIONS.filter((id) => (query.get('hide') ?? '').split(',').includes(id)));
  const show = useCallback(
    (item: ItemRef | undefined, replace = false, isImmediate = false) =>
      change((before) => before, {
        pathname: item === undefined ? '/approvals' : getItemPath(item),
        replace,
        isImmediate,
      }),
    [change],
  );
  return {
    approvalId,
    questionId,
    filter,
    status: parseStatus(query.get('status')),
    collapsed: collapsedSections,
    setSearch: (q) => setParam('q', q),
    setFilter: (next) => change((before) => setApprovalFilter(before, next), { replace: false }),
    setStatus: (status) => setParam('status', status === 'pending' ? '' : status),
    toggle: (section) =>
      setParam('hide', INBOX_SECTIONS.filter((id) => collapsedSections.has(id) !== (id === section)).join(',')),
    show,
    takeRejectReason: () => {
      const reason = state?.rejectWith;
      // The router removes the reason in a transition, so renders before that must not take it again.
      if (typeof reason !== 'string' || consumedLocationKey.current === key) return undefined;
      consumedLocationKey.current = key;
      // Changes the latest requested address, which may be another approval by now.
      change((before) => before, { replace: true });
      return reason;
    },
  };
}

function parseStatus(text: string | null): ApprovalStatus | 'all' {
  return text === 'all' ? 'all' : (APPROVAL_STATUSES.find((status) => status === text) ?? 'pending');
}
