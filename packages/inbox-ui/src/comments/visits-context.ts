import type { InboxItem } from '@countersign/contract';
import { createContext, useContext } from 'react';
import type { EarlierVisits } from './find-last-visit.js';

export interface Visits {
  /** The visits of the user by approval id. */
  readonly byApproval: EarlierVisits;
  /** Id of the user. */
  readonly ownId: string;
}

export const VisitsContext = createContext<Visits>({ byApproval: new Map(), ownId: '' });

/**
 * Returns whether an approval has comments that are new to the user: who has seen it before, or who requested it
 * and may not know that there are any.
 */
export function useHasNewComments({
  approvalId,
  requestedBy,
  comments,
}: Pick<InboxItem, 'approvalId' | 'requestedBy' | 'comments'>): boolean {
  const { byApproval, ownId } = useContext(VisitsContext);
  const lastAt = comments?.lastAt ?? null;
  const seenAt = byApproval.get(approvalId)?.lastCommentAt ?? (requestedBy === ownId ? '' : undefined);
  return seenAt !== undefined && lastAt !== null && lastAt > seenAt;
}
