import type { Approval } from '@countersign/contract';
import { useCallback, useMemo, useState } from 'react';
import { opensSigningDialog, canVote, useInboxHost } from '../inbox/index.js';

export interface ApprovalSelection {
  readonly ids: ReadonlySet<string>;
  /** The selected approvals with their current data from the list. */
  readonly approvals: readonly Approval[];
  canSelect(approval: Approval): boolean;
  toggle(approval: Approval): void;
  clear(): void;
}

/** Manages the selection for approving together. Approvals that leave the list are deselected. */
export function useApprovalSelection(items: readonly Approval[]): ApprovalSelection {
  const host = useInboxHost();
  const may = useCallback(
    (approval: Approval) =>
      canVote(approval, host) && !opensSigningDialog(approval, host) && approval.riskLevel === 'low',
    [host],
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const approvals = useMemo(
    () => items.filter((each) => chosen.has(each.approvalId) && may(each)),
    [items, chosen, may],
  );
  const ids = useMemo(() => new Set(approvals.map(({ approvalId }) => approvalId)), [approvals]);
  const toggle = useCallback(({ approvalId }: Approval) => {
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(approvalId)) next.add(approvalId);
      return next;
    });
  }, []);
  const clear = useCallback(() => setChosen(new Set()), []);
  return { ids, approvals, canSelect: may, toggle, clear };
}
