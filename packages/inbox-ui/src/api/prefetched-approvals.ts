import type { Approval, Client, InboxItem } from '@countersign/contract';

/** Maximum number of approvals that are stored; the oldest are dropped. */
const MAX_STORED = 60;

type ApprovalVersion = Pick<InboxItem, 'approvalId' | 'round' | 'digest'>;

/**
 * Approvals that were loaded in advance, to be displayed until they have been loaded individually. Kept apart from the
 * query cache, so that they never replace what was loaded individually.
 */
export class PrefetchedApprovals {
  private readonly byId = new Map<string, Approval>();

  get(approvalId: string): Approval | undefined {
    return this.byId.get(approvalId);
  }

  /** Returns whether an approval is stored in this version. */
  has({ approvalId, round, digest }: ApprovalVersion): boolean {
    const stored = this.byId.get(approvalId);
    return stored?.round === round && stored.digest === digest;
  }

  /** Drops everything, because personal data was erased. */
  clear(): void {
    this.byId.clear();
  }

  add(approvals: readonly Approval[]): void {
    for (const approval of approvals) {
      this.byId.delete(approval.approvalId);
      this.byId.set(approval.approvalId, approval);
    }
    for (const oldest of this.byId.keys()) {
      if (this.byId.size <= MAX_STORED) break;
      this.byId.delete(oldest);
    }
  }
}

const stores = new WeakMap<Client, PrefetchedApprovals>();

/** Returns the store of a session. */
export function getPrefetchedApprovals(client: Client): PrefetchedApprovals {
  const store = stores.get(client) ?? new PrefetchedApprovals();
  stores.set(client, store);
  return store;
}
