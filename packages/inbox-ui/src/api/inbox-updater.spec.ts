import type { Client, InboxItem, Page } from '@countersign/contract';
import { InfiniteQueryObserver, QueryClient, type InfiniteData } from '@tanstack/react-query';
import { expect } from 'chai';
import { createApproval } from '../inbox/inbox.spec.support.js';
import { InboxUpdater } from './inbox-updater.js';
import { queryKeys } from './query-keys.js';

type InboxQuery = NonNullable<Parameters<Client['listInbox']>[0]>;

describe('InboxUpdater', () => {
  let queryClient: QueryClient;
  /** The approvals on the server. */
  let approvals: Map<string, InboxItem>;
  let requests: InboxQuery[];
  /** Delays the responses to requests for changed rows. */
  let respond: () => Promise<void>;
  /** Delays the responses to requests for a list. */
  let listDelay: () => Promise<void>;
  let updater: InboxUpdater;
  const unsubscribe: (() => void)[] = [];

  beforeEach(() => {
    queryClient = new QueryClient();
    queryClient.mount();
    approvals = new Map();
    requests = [];
    respond = () => Promise.resolve();
    listDelay = () => Promise.resolve();
    updater = new InboxUpdater(queryClient, { listInbox });
  });

  afterEach(() => {
    for (const each of unsubscribe.splice(0)) each();
    queryClient.clear();
    queryClient.unmount();
  });

  const listInbox: Client['listInbox'] = async (query = {}) => {
    requests.push(query);
    const ids = query.approvalIds?.split(',');
    const items = [...approvals.values()].filter(
      ({ approvalId, title, status, canDecide }) =>
        (ids?.includes(approvalId) ?? true) &&
        title.includes(query.q ?? '') &&
        (query.status === 'all' || status === 'pending') &&
        (query.inbox === undefined || canDecide.allowed === (query.inbox === 'mine')),
    );
    await (ids === undefined ? listDelay() : respond());
    return { items, nextCursor: null };
  };

  const setApproval = (approvalId: string, overrides: Partial<InboxItem> = {}): void =>
    void approvals.set(approvalId, { ...createApproval({ approvalId }), ...overrides });

  async function showList(filter: InboxQuery): Promise<() => string[]> {
    const queryKey = queryKeys.inbox(filter);
    const observer = new InfiniteQueryObserver(queryClient, {
      queryKey,
      queryFn: () => listInbox(filter),
      initialPageParam: undefined,
      getNextPageParam: (page: Page<InboxItem>) => page.nextCursor ?? undefined,
    });
    unsubscribe.push(observer.subscribe(() => undefined));
    await observer.fetchOptimistic(observer.options as never);
    return () =>
      (queryClient.getQueryData<InfiniteData<Page<InboxItem>>>(queryKey)?.pages ?? []).flatMap(({ items }) =>
        items.map(({ approvalId }) => approvalId),
      );
  }

  /** Waits for promises until a condition holds, or long enough that it never will. */
  async function waitFor(isDone: () => boolean): Promise<void> {
    for (let turn = 0; turn < 1_000 && !isDone(); turn += 1) await Promise.resolve();
  }

  const update = (...ids: readonly string[]): Promise<void> => {
    updater.add(...ids);
    return updater.update();
  };

  it('should update all lists with the same search with one request for the changed rows', async () => {
    // given
    setApproval('a');
    setApproval('b');
    const listMine = await showList({ inbox: 'mine', sort: 'urgency' });
    const listOthers = await showList({ inbox: 'others', sort: 'urgency' });
    requests.length = 0;

    // when
    setApproval('a', { canDecide: { allowed: false, reasons: ['already_voted'] } });
    setApproval('c');
    await update('a', 'c');

    // then
    expect([listMine().sort(), listOthers()]).to.deep.equal([['b', 'c'], ['a']]);
    expect(requests).to.deep.equal([{ status: 'all', approvalIds: 'a,c', limit: 100 }]);
  });

  it('should let the server decide whether a changed row matches the search of a list', async () => {
    // given
    const listFound = await showList({ inbox: 'mine', sort: 'urgency', q: 'Pay' });
    requests.length = 0;

    // when
    setApproval('a', { title: 'Pay ACME' });
    setApproval('b', { title: 'Release' });
    await update('a', 'b');

    // then
    expect(listFound()).to.deep.equal(['a']);
    expect(requests).to.deep.equal([{ q: 'Pay', status: 'all', approvalIds: 'a,b', limit: 100 }]);
  });

  it('should send one request after another, so that an older response never replaces a newer one', async () => {
    // given
    const listMine = await showList({ inbox: 'mine', sort: 'urgency' });
    const responses: (() => void)[] = [];
    respond = () => new Promise((resolve) => responses.push(resolve));
    setApproval('a');

    // when
    const first = update('a');
    setApproval('a', { status: 'approved' });
    const second = update('a');
    await waitFor(() => responses.length > 0);
    expect(responses).to.have.length(1);
    responses.shift()?.();
    await first;
    await waitFor(() => responses.length > 0);
    responses.shift()?.();
    await second;

    // then
    expect(listMine()).to.deep.equal([]);
  });

  it('should load the lists again if very many approvals have changed', async () => {
    // given
    const listMine = await showList({ inbox: 'mine', sort: 'urgency' });
    requests.length = 0;
    const ids = Array.from({ length: 101 }, (_, index) => `id-${index}`);
    for (const id of ids) setApproval(id);

    // when
    await update(...ids);

    // then
    expect(listMine()).to.have.length(101);
    expect(requests).to.deep.equal([{ inbox: 'mine', sort: 'urgency' }]);
  });

  it('should load a list again if the changed rows could not be loaded', async () => {
    // given
    const listMine = await showList({ inbox: 'mine', sort: 'urgency' });
    respond = () => Promise.reject(new Error('No response.'));
    setApproval('a');

    // when
    await update('a');
    await waitFor(() => listMine().length > 0);

    // then
    expect(listMine()).to.deep.equal(['a']);
  });

  it('should update the displayed approvals of a run in which somebody has contributed', async () => {
    // given
    setApproval('a', { runId: 'run-1' });
    setApproval('b', { runId: 'run-2' });
    const listMine = await showList({ inbox: 'mine', sort: 'urgency' });
    requests.length = 0;

    // when
    for (const id of ['a', 'b']) setApproval(id, { canDecide: { allowed: false, reasons: ['self_approval'] } });
    updater.addRun('run-1');
    updater.addRun('run-3');
    await updater.update();

    // then
    expect(listMine()).to.deep.equal(['b']);
    expect(requests.map(({ approvalIds }) => approvalIds)).to.deep.equal(['a']);
  });

  it('should load a list again that was being loaded when a row changed', async () => {
    // given
    setApproval('a');
    const listMine = await showList({ inbox: 'mine', sort: 'urgency' });
    const responses: (() => void)[] = [];
    respond = () => new Promise((resolve) => responses.push(resolve));
    setApproval('b');
    const updated = update('b');
    await waitFor(() => responses.length > 0);
    // The list is loaded in its state of now, but arrives after the row.
    let deliverList: (() => void) | undefined;
    listDelay = () => new Promise((resolve) => (deliverList = resolve));
    const reloaded = queryClient.refetchQueries({ queryKey: ['inbox'] });
    await waitFor(() => deliverList !== undefined);
    setApproval('c');

    // when
    responses.shift()?.();
    await updated;
    listDelay = () => Promise.resolve();
    deliverList?.();
    await reloaded;
    await waitFor(() => listMine().length === 3);

    // then
    expect(listMine().sort()).to.deep.equal(['a', 'b', 'c']);
  });
});
