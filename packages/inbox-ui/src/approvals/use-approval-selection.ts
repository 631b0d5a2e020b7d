import type { InboxItem } from '@countersign/contract';
import { useCallback, useMemo, useState } from 'react';
import { opensSigningDialog, canVote, useInboxHost } from '../inbox/index.js';

export interface ApprovalSelection {
  readonly ids: ReadonlySet<string>;
  /** The selected approvals with their current data from the list. */
  readonly approvals: readonly InboxItem[];
  canSelect(approval: InboxItem): boolean;
  toggle(approval: InboxItem): void;
  clear(): void;
}

/** Manages the selection of approvals to approve together. Approvals that leave the list are deselected. */
export function useApprovalSelection(items: readonly InboxItem[]): ApprovalSelection {
  const host = useInboxHost();
  const canApproveInBulk = useCallback(
    (approval: InboxItem) =>
      canVote(approval, host) && !opensSigningDialog(approval, host) && approval.riskLevel === 'low',
    [host],
  );
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const approvals = useMemo(
    () => items.filter((each) => selectedIds.has(each.approvalId) && canApproveInBulk(each)),
    [items, selectedIds, canApproveInBulk],
  );
  const ids = useMemo(() => new Set(approvals.map(({ approvalId }) => approvalId)), [approvals]);
  const toggle = useCallback(({ approvalId }: InboxItem) => {
    setSelectedIds((before) => {
      const next = new Set(before);
      if (!next.delete(approvalId)) next.add(approvalId);
      return next;
    });
  }, []);
  const clear = useCallback(() => setSelectedIds(new Set()), []);
  return { ids, approvals, canSelect: canApproveInBulk, toggle, clear };
}
