import type { Approval, Client, InboxItem } from '@countersign/contract';

/** More are loaded when fewer than this are stored of those that come next, so that moving through a list never waits. */
const MIN_AHEAD = 6;
/** Maximum number of approvals that are stored; the oldest are dropped. */
const MAX_STORED = 60;

type Version = Pick<InboxItem, 'approvalId' | 'round' | 'digest'>;

/**
 * Approvals that were loaded in advance, to be displayed until they have been loaded individually. Kept apart from the
 * query cache, so that they never replace what was loaded individually.
 */
export class PrefetchedApprovals {
  private readonly byId = new Map<string, Approval>();
  /** Versions that the server did not return, and that are not requested again. */
  private readonly unavailable = new Set<string>();
  private ahead: readonly Version[] = [];
  private isLoading = false;

  get(approvalId: string): Approval | undefined {
    return this.byId.get(approvalId);
  }

  /** Drops everything, because personal data was erased. */
  clear(): void {
    this.byId.clear();
  }

  /**
   * Loads the approvals that come next, with one request at a time.
   *
   * @param load loads whole approvals; if it fails, nothing is stored, and the next call tries again
   */
  async prefetch(
    ahead: readonly Version[],
    load: (approvalIds: readonly string[]) => Promise<readonly Approval[]>,
  ): Promise<void> {
    this.ahead = ahead;
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      for (let missing = this.findMissing(); missing.length > 0; missing = this.findMissing()) {
        const approvals = await load(missing.map(({ approvalId }) => approvalId));
        this.store(approvals);
        for (const version of missing) if (!this.has(version)) this.unavailable.add(getKey(version));
      }
    } catch {
      // An approval that could not be loaded in advance is loaded when it is opened.
    } finally {
      this.isLoading = false;
    }
  }

  private findMissing(): readonly Version[] {
    const isMissing = (version: Version): boolean => !this.has(version) && !this.unavailable.has(getKey(version));
    return this.ahead.slice(0, MIN_AHEAD).some(isMissing) ? this.ahead.filter(isMissing) : [];
  }

  private has({ approvalId, round, digest }: Version): boolean {
    const stored = this.byId.get(approvalId);
    return stored?.round === round && stored.digest === digest;
  }

  private store(approvals: readonly Approval[]): void {
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

function getKey({ approvalId, round, digest }: Version): string {
  return `${approvalId} ${round} ${digest}`;
}

const stores = new WeakMap<Client, PrefetchedApprovals>();

/** Returns the store of a session. */
export function getPrefetchedApprovals(client: Client): PrefetchedApprovals {
  const store = stores.get(client) ?? new PrefetchedApprovals();
  stores.set(client, store);
  return store;
}
