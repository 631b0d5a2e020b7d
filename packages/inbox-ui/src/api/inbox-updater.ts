import { MAX_APPROVAL_IDS, type Client } from '@countersign/contract';
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import { mergeRows, type InboxListFilter, type LoadedPage } from '../inbox/merge-rows.js';
import { INBOX_KEY } from './query-keys.js';
import { reloadQueries } from './reload-queries.js';

type ListQuery = NonNullable<Parameters<Client['listInbox']>[0]>;

/**
 * Keeps the cached lists of the inbox current: loads only the rows that have changed, with one request for all lists
 * that have the same search. Requests are sent one after another, so that an older response never replaces a newer one.
 */
export class InboxUpdater {
  private readonly changedIds = new Set<string>();
  private inProgress: Promise<void> | undefined;

  constructor(
    private readonly queryClient: QueryClient,
    private readonly client: Pick<Client, 'listInbox'>,
  ) {}

  /** Registers changed approvals, which `update` loads. */
  add(...approvalIds: readonly string[]): void {
    for (const id of approvalIds) this.changedIds.add(id);
  }

  /** Registers the displayed approvals of a run: an event of the run may have changed who may decide them. */
  addRun(runId: string): void {
    for (const query of this.queryClient.getQueryCache().findAll({ queryKey: INBOX_KEY, type: 'active' }))
      for (const { items } of (query.state.data as InfiniteData<LoadedPage> | undefined)?.pages ?? [])
        for (const item of items) if (item.runId === runId) this.changedIds.add(item.approvalId);
  }

  /** Loads the registered approvals; resolves when the lists are current. Never rejects. */
  async update(): Promise<void> {
    while (this.inProgress !== undefined) await this.inProgress;
    const changedIds = new Set(this.changedIds);
    this.changedIds.clear();
    if (changedIds.size === 0) return;
    this.inProgress = this.updateLists(changedIds);
    try {
      await this.inProgress;
    } finally {
      this.inProgress = undefined;
    }
  }

  private async updateLists(changedIds: ReadonlySet<string>): Promise<void> {
    const { queryClient } = this;
    // One request lists no more.
    if (changedIds.size > MAX_APPROVAL_IDS) return reloadQueries(queryClient, INBOX_KEY);
    // Lists that are not displayed are loaded again when they are.
    await queryClient.invalidateQueries({ queryKey: INBOX_KEY, type: 'inactive', refetchType: 'none' });
    const queries = queryClient.getQueryCache().findAll({ queryKey: INBOX_KEY, type: 'active' });
    const groups = new Map<string, Query[]>();
    for (const query of queries) {
      const search = JSON.stringify(getSearch(query));
      groups.set(search, [...(groups.get(search) ?? []), query]);
    }
    await Promise.all([...groups.values()].map((group) => this.updateGroup(group, changedIds)));
  }

  private async updateGroup(queries: readonly Query[], changedIds: ReadonlySet<string>): Promise<void> {
    const [first] = queries;
    if (first === undefined) return;
    const before = new Map(queries.map((query) => [query, query.state.dataUpdateCount]));
    const found = await this.client
      .listInbox({
        ...getSearch(first),
        status: 'all',
        approvalIds: [...changedIds].join(','),
        limit: MAX_APPROVAL_IDS,
      })
      .then(
        ({ items }) => items,
        () => undefined,
      );
    for (const query of queries) {
      const { state, queryKey } = query;
      // A load at the same time may have read older rows or newer ones than this request.
      const hasLoadedMeanwhile = state.fetchStatus === 'fetching' || state.dataUpdateCount !== before.get(query);
      if (found === undefined || hasLoadedMeanwhile || state.status !== 'success') {
        void reloadQueries(this.queryClient, queryKey);
        continue;
      }
      const data = state.data as InfiniteData<LoadedPage>;
      const pages = mergeRows(data.pages, getFilter(query), changedIds, found);
      if (pages === undefined) void reloadQueries(this.queryClient, queryKey);
      else this.queryClient.setQueryData<InfiniteData<LoadedPage>>(queryKey, { ...data, pages });
    }
  }
}

const updaters = new WeakMap<Pick<Client, 'listInbox'>, InboxUpdater>();

/** Returns the updater of a session, which has one client. */
export function getInboxUpdater(queryClient: QueryClient, client: Pick<Client, 'listInbox'>): InboxUpdater {
  const updater = updaters.get(client) ?? new InboxUpdater(queryClient, client);
  updaters.set(client, updater);
  return updater;
}

function getFilter(query: Query): ListQuery & InboxListFilter {
  return query.queryKey[1] as ListQuery & InboxListFilter;
}

/** Returns the part of the filter that only the server can evaluate. */
function getSearch(query: Query): ListQuery {
  const { inbox: _inbox, status: _status, sort: _sort, ...search } = getFilter(query);
  return search;
}
