import type { Client } from '@countersign/contract';
import type { OfflineCache } from './offline-cache.js';

export type InboxQuery = NonNullable<Parameters<Client['listInbox']>[0]>;

/** Maximum number of lists that are kept current. */
const MAX_LISTS = 8;
/** Pause after a change, in ms: many changes cost one load. */
const RELOAD_MS = 30_000;

interface StoredListsOptions {
  readonly client: Pick<Client, 'listInbox'>;
  readonly cache: Pick<OfflineCache, 'put'>;
  /** Calls a function later; replaced in specs. */
  schedule?(run: () => void, ms: number): void;
}

/**
 * Keeps the lists current that can be read offline. The window updates its lists row by row, so the stored responses
 * would become old while it is open.
 */
export class StoredLists {
  /** The first pages that the window has loaded, least recently loaded first. */
  private readonly queries = new Map<string, InboxQuery>();
  private isScheduled = false;

  constructor(private readonly options: StoredListsOptions) {}

  /** Stores a list that the window has loaded. */
  add(query: InboxQuery, page: unknown): void {
    const key = JSON.stringify(query);
    this.options.cache.put('listInbox', query, page);
    if (query.cursor !== undefined) return;
    this.queries.delete(key);
    this.queries.set(key, query);
    for (const oldest of this.queries.keys()) {
      if (this.queries.size <= MAX_LISTS) break;
      this.queries.delete(oldest);
    }
  }

  /** Called when the window has loaded rows that have changed. */
  onRowsChanged(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    const { schedule = scheduleOnTimer } = this.options;
    schedule(() => {
      this.isScheduled = false;
      void this.reload();
    }, RELOAD_MS);
  }

  /** Errors are not reported: the lists that are stored remain, and the next change tries again. */
  private async reload(): Promise<void> {
    const { client, cache } = this.options;
    for (const query of this.queries.values()) {
      const page = await client.listInbox(query).catch(() => undefined);
      if (page === undefined) return;
      cache.put('listInbox', query, page);
    }
  }
}

function scheduleOnTimer(run: () => void, ms: number): void {
  setTimeout(run, ms).unref();
}
