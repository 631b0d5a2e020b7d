import type { Change } from '@countersign/contract';
import { getItemId, type WaitingItem } from './waiting-item.js';

/** Number of loaded items after which no further pages of the list are loaded. */
const MAX_WAITING = 1_000;

/** The requests for waiting items of one kind. */
export interface WaitingItemSource<T extends WaitingItem> {
  /** If more items than this have changed, the whole list is loaded instead of the changed items. */
  readonly maxChangedLoads: number;
  /**
   * Returns the ids of the items that a change may affect.
   *
   * @param items the known items
   */
  findChangedIds(change: Change, items: Iterable<T>): readonly string[];
  /** Loads a page of the list, in order of urgency. */
  loadPage(cursor: string | undefined): Promise<{ readonly items: readonly T[]; readonly nextCursor: string | null }>;
  /** Loads those of the items that wait for the user. */
  loadItems(ids: readonly string[]): Promise<readonly T[]>;
}

/** The items of one kind that wait for the signed-in user at one server, and the changes that are not yet processed. */
export class WaitingList<T extends WaitingItem> {
  private readonly byId = new Map<string, T>();
  private changedIds = new Set<string>();
  private needsListReload = false;
  private isListLoaded = false;
  private hasMore = false;

  constructor(private readonly source: WaitingItemSource<T>) {}

  get isLoaded(): boolean {
    return this.isListLoaded;
  }

  /** Whether all waiting items are loaded; otherwise only the most urgent are. */
  get isComplete(): boolean {
    return this.isListLoaded && !this.hasMore;
  }

  get items(): readonly T[] {
    return [...this.byId.values()];
  }

  /** Whether there are changes to process. */
  get isStale(): boolean {
    return this.needsListReload || this.changedIds.size > 0;
  }

  onChange(change: Change): void {
    for (const id of this.source.findChangedIds(change, this.byId.values())) this.changedIds.add(id);
  }

  refresh(): void {
    this.needsListReload = true;
  }

  /**
   * Loads what has changed, with one request at a time. If a request fails, the list stays stale and throws the error.
   *
   * @param isClosed if it returns `true`, no further requests are sent
   */
  async update(isClosed: () => boolean): Promise<void> {
    const { changedIds, source } = this;
    const reloadsList = this.needsListReload || changedIds.size > source.maxChangedLoads;
    this.changedIds = new Set();
    this.needsListReload = false;
    try {
      if (reloadsList) await this.loadList(isClosed);
      else await this.reloadItems([...changedIds]);
    } catch (error) {
      this.needsListReload ||= reloadsList;
      for (const id of changedIds) this.changedIds.add(id);
      throw error;
    }
  }

  private async reloadItems(ids: readonly string[]): Promise<void> {
    const items = new Map((await this.source.loadItems(ids)).map((item) => [getItemId(item), item]));
    for (const id of ids) this.setItem(id, items.get(id));
  }

  private async loadList(isClosed: () => boolean): Promise<void> {
    const found: T[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.source.loadPage(cursor);
      found.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && found.length < MAX_WAITING && !isClosed());
    this.byId.clear();
    for (const item of found) this.byId.set(getItemId(item), item);
    this.hasMore = cursor !== undefined;
    this.isListLoaded = true;
  }

  private setItem(id: string, item: T | undefined): void {
    if (item !== undefined) this.byId.set(id, item);
    else if (!this.byId.delete(id)) return;
    // Loads the list again to fill up a partial list, or to drop items beyond the maximum.
    if ((this.hasMore && this.byId.size < MAX_WAITING / 2) || this.byId.size > 2 * MAX_WAITING)
      this.needsListReload = true;
  }
}
