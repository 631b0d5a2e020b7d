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
 * Returns whether an approval has comments that are new to the user: who has seen it or its previous round, or who
 * requested it and may not know that there are any.
 */
export function useHasNewComments({
  approvalId,
  previousApprovalId,
  requestedBy,
  comments,
}: Pick<InboxItem, 'approvalId' | 'previousApprovalId' | 'requestedBy' | 'comments'>): boolean {
  const { byApproval, ownId } = useContext(VisitsContext);
  // Older servers do not state who wrote the last comment.
  const lastAt = (comments?.lastByOthersAt === undefined ? comments?.lastAt : comments.lastByOthersAt) ?? null;
  const visit = byApproval.get(approvalId) ?? byApproval.get(previousApprovalId ?? '');
  const seenAt = visit?.lastCommentAt ?? (requestedBy === ownId ? '' : undefined);
  return seenAt !== undefined && lastAt !== null && lastAt > seenAt;
}
