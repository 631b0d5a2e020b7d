import type { ChangeMessage, Client, InboxItem } from '@countersign/contract';
import type { Clock } from './clock.js';
import { toWaitingItem, type WaitingItem } from './waiting-item.js';

const PAGE_SIZE = 200;
/** Number of loaded approvals after which no further pages of the list are loaded. */
const MAX_WAITING = 1_000;
/** Delay before changes are processed, in ms. Changes arrive in bursts and are processed together. */
const BATCH_DELAY_MS = 100;
/** Delay before a failed request is repeated, in ms. */
const RETRY_MS = 5_000;
/** If more approvals than this have changed, the whole list is loaded instead of the changed approvals. */
const MAX_CHANGED_LOADS = 50;

export type InboxClient = Pick<Client, 'listInbox'>;

interface WaitingItemsWatchOptions {
  readonly serverId: string;
  readonly client: InboxClient;
  readonly clock: Clock;
  onUpdate(): void;
}

/**
 * Tracks the approvals that wait for the signed-in user at one server: loads the list when the change feed starts, then
 * reloads the approvals that the feed reports.
 */
export class WaitingItemsWatch {
  private readonly byId = new Map<string, WaitingItem>();
  private changedIds = new Set<string>();
  private needsListReload = false;
  private isProcessing = false;
  private isClosed = false;
  private cancelTimer: (() => void) | undefined;
  private isListLoaded = false;
  private hasMore = false;

  constructor(private readonly options: WaitingItemsWatchOptions) {}

  /** Whether the waiting approvals have been loaded. */
  get isReady(): boolean {
    return this.isListLoaded;
  }

  /** Whether all waiting approvals are loaded; otherwise only the most urgent are. */
  get isComplete(): boolean {
    return this.isListLoaded && !this.hasMore;
  }

  get items(): readonly WaitingItem[] {
    return [...this.byId.values()];
  }

  onChange(message: ChangeMessage): void {
    if (message.type === 'reset') return this.refresh();
    const { type, data } = message.change;
    const { approvalId } = data;
    if (!type.startsWith('approval.') || typeof approvalId !== 'string') return;
    this.changedIds.add(approvalId);
    this.scheduleProcessing(BATCH_DELAY_MS);
  }

  /** Schedules loading the list, because the feed has started, was reset or is broken. */
  refresh(): void {
    this.needsListReload = true;
    this.scheduleProcessing(0);
  }

  /** Loads an approval; returns `undefined` if it does not wait for this user. */
  async load(approvalId: string): Promise<WaitingItem | undefined> {
    return (await this.loadItems([approvalId])).get(approvalId);
  }

  close(): void {
    this.isClosed = true;
    this.cancelTimer?.();
  }

  private scheduleProcessing(ms: number): void {
    if (this.isProcessing || this.isClosed) return;
    this.cancelTimer?.();
    this.cancelTimer = this.options.clock.schedule(ms, () => void this.processChanges());
  }

  private async processChanges(): Promise<void> {
    this.isProcessing = true;
    const { changedIds } = this;
    const reloadsList = this.needsListReload || changedIds.size > MAX_CHANGED_LOADS;
    this.changedIds = new Set();
    this.needsListReload = false;
    let failed = false;
    try {
      if (reloadsList) await this.loadList();
      else await this.reloadItems([...changedIds]);
    } catch {
      // The error is not reported, because the same approvals are loaded again later.
      failed = true;
      this.needsListReload ||= reloadsList;
      for (const approvalId of changedIds) this.changedIds.add(approvalId);
    }
    this.isProcessing = false;
    if (this.isClosed) return;
    if (this.needsListReload || this.changedIds.size > 0) this.scheduleProcessing(failed ? RETRY_MS : BATCH_DELAY_MS);
    if (!failed) this.options.onUpdate();
  }

  /** Loads those of the approvals that wait for this user. */
  private async loadItems(approvalIds: readonly string[]): Promise<ReadonlyMap<string, WaitingItem>> {
    const { client, serverId } = this.options;
    const { items } = await client.listInbox({ approvalIds: approvalIds.join(','), status: 'all', limit: PAGE_SIZE });
    return new Map(items.filter(isWaiting).map((item) => [item.approvalId, toWaitingItem(serverId, item)]));
  }

  private async reloadItems(approvalIds: readonly string[]): Promise<void> {
    if (approvalIds.length === 0) return;
    const items = await this.loadItems(approvalIds);
    for (const approvalId of approvalIds) this.setItem(approvalId, items.get(approvalId));
  }

  private async loadList(): Promise<void> {
    const { client, serverId } = this.options;
    const found: WaitingItem[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listInbox({
        inbox: 'mine',
        sort: 'urgency',
        limit: PAGE_SIZE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.items.filter(isWaiting).map((approval) => toWaitingItem(serverId, approval)));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && found.length < MAX_WAITING && !this.isClosed);
    this.byId.clear();
    for (const item of found) this.byId.set(item.approvalId, item);
    this.hasMore = cursor !== undefined;
    this.isListLoaded = true;
  }

  private setItem(approvalId: string, item: WaitingItem | undefined): void {
    if (item !== undefined) this.byId.set(approvalId, item);
    else if (!this.byId.delete(approvalId)) return;
    // Loads the list again to fill up a partial list, or to drop items beyond the maximum.
    if ((this.hasMore && this.byId.size < MAX_WAITING / 2) || this.byId.size > 2 * MAX_WAITING)
      this.needsListReload = true;
  }
}

function isWaiting({ status, canDecide }: InboxItem): boolean {
  return status === 'pending' && canDecide.allowed;
}
