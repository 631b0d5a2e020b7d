import { APPROVAL_STATUSES, type ApprovalStatus } from '@countersign/contract';
import { useCallback, useRef } from 'react';
import { matchPath, useLocation, useParams } from 'react-router';
import { INBOX_SECTIONS, type InboxSectionId } from '../inbox/index.js';
import { placeAskedFor } from '../ui/place-asked-for.js';
import { useAddressQuery } from '../ui/use-address-query.js';
import { mergeQuery } from '../ui/merge-query.js';

export interface ApprovalsAddress {
  readonly approvalId: string | undefined;
  readonly q: string;
  readonly status: ApprovalStatus | 'all';
  /** Parts of the list that are hidden. */
  readonly closed: ReadonlySet<InboxSectionId>;
  setQ(q: string): void;
  setStatus(status: ApprovalStatus | 'all'): void;
  toggle(section: InboxSectionId): void;
  /** Shows an approval. @param replace what moving through the list shows is no page to come back to */
  show(approvalId: string | undefined, replace?: boolean): void;
  /** What the person wrote elsewhere, for the form of rejecting what is shown. @returns it once */
  takeReason(): string | undefined;
}

/** Whether a path is one of the page of approvals, with or without one that is shown. */
export const isApprovalsPage = (pathname: string): boolean => matchPath('/approvals/:approvalId?', pathname) !== null;

/** The approval that was asked for last, also where it is not shown yet. */
export const approvalAskedFor = (): string | undefined =>
  matchPath('/approvals/:approvalId', placeAskedFor().pathname)?.params.approvalId;

/** All that the page shows, in its address: what is shown can be linked to. */
export function useApprovalsAddress(): ApprovalsAddress {
  const { approvalId } = useParams();
  const [query, change] = useAddressQuery(isApprovalsPage);
  const { state, key } = useLocation() as {
    readonly state: { readonly rejectWith?: unknown } | null;
    readonly key: string;
  };
  const takenFrom = useRef<string>(undefined);
  const set = (name: string, value: string): void =>
    change((before) => mergeQuery(before, { [name]: value }), { replace: true });
  const closed = new Set(INBOX_SECTIONS.filter((id) => (query.get('hide') ?? '').split(',').includes(id)));
  const show = useCallback(
    (id: string | undefined, replace = false) =>
      change((before) => before, {
        pathname: id === undefined ? '/approvals' : `/approvals/${encodeURIComponent(id)}`,
        replace,
      }),
    [change],
  );
  return {
    approvalId,
    q: query.get('q') ?? '',
    status: statusOf(query.get('status')),
    closed,
    setQ: (q) => set('q', q),
    setStatus: (status) => set('status', status === 'pending' ? '' : status),
    toggle: (section) => set('hide', INBOX_SECTIONS.filter((id) => closed.has(id) !== (id === section)).join(',')),
    show,
    takeReason: () => {
      const reason = state?.rejectWith;
      // The router shows the address without it as a transition, which any number of renders may precede.
      if (typeof reason !== 'string' || takenFrom.current === key) return undefined;
      takenFrom.current = key;
      // Where the reader is asked to be by now, which may be another approval.
      change((before) => before, { replace: true });
      return reason;
    },
  };
}

function statusOf(text: string | null): ApprovalStatus | 'all' {
  return text === 'all' ? 'all' : (APPROVAL_STATUSES.find((status) => status === text) ?? 'pending');
}
