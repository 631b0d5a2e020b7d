import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect } from 'chai';
import { reloadQueries } from './reload-queries.js';

describe('reloadQueries', () => {
  let queryClient: QueryClient;
  /** The current value on the server. */
  let serverValue: string;
  /** Callbacks that deliver the responses whose value was read from the server. */
  let deliveries: (() => void)[];
  let loadCount: number;
  const unsubscribe: (() => void)[] = [];

  beforeEach(() => {
    queryClient = new QueryClient();
    queryClient.mount();
    serverValue = 'old';
    deliveries = [];
    loadCount = 0;
  });

  afterEach(() => {
    for (const each of unsubscribe.splice(0)) each();
    queryClient.clear();
    queryClient.unmount();
  });

  function observeQuery(...queryKey: string[]): void {
    const observer = new QueryObserver(queryClient, {
      queryKey,
      queryFn: () => {
        loadCount += 1;
        const snapshot = serverValue;
        return new Promise<string>((resolve) => deliveries.push(() => resolve(snapshot)));
      },
    });
    unsubscribe.push(observer.subscribe(() => undefined));
  }
  async function deliver(): Promise<void> {
    for (const each of deliveries.splice(0)) each();
    // eslint-disable-next-line no-restricted-syntax -- an event loop turn, not a delay; browsers offer no other way
    await new Promise((resolve) => setTimeout(resolve));
  }

  it('should reload a query whose value changed during its first load', async () => {
    // given
    observeQuery('approval', 'a');
    // when
    serverValue = 'new';
    const reloaded = reloadQueries(queryClient, ['approval', 'a']);
    await deliver();
    expect(queryClient.getQueryData(['approval', 'a'])).to.equal('old');
    await deliver();
    await reloaded;
    // then
    expect(queryClient.getQueryData(['approval', 'a'])).to.equal('new');
    expect(loadCount).to.equal(2);
  });

  it('should load a displayed query once and not load other queries', async () => {
    // given
    observeQuery('approval', 'a');
    observeQuery('approval', 'b');
    await deliver();
    // when
    serverValue = 'new';
    const reloaded = reloadQueries(queryClient, ['approval', 'a']);
    await deliver();
    await reloaded;
    // then
    expect([
      queryClient.getQueryData(['approval', 'a']),
      queryClient.getQueryData(['approval', 'b']),
      loadCount,
    ]).to.deep.equal(['new', 'old', 3]);
  });

  it('should load all queries if no key is given', async () => {
    observeQuery('approval', 'a');
    observeQuery('runs');
    await deliver();
    serverValue = 'new';
    const reloaded = reloadQueries(queryClient);
    await deliver();
    await reloaded;
    expect([queryClient.getQueryData(['approval', 'a']), queryClient.getQueryData(['runs'])]).to.deep.equal([
      'new',
      'new',
    ]);
  });
});
