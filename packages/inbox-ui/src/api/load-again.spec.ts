import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect } from 'chai';
import { loadAgain } from './load-again.js';

describe('loadAgain', () => {
  let queries: QueryClient;
  /** The value on the server, and the responses that were read but not delivered yet. */
  let stored: string;
  let deliveries: (() => void)[];
  let asked: number;
  const unsubscribe: (() => void)[] = [];

  beforeEach(() => {
    queries = new QueryClient();
    queries.mount();
    stored = 'old';
    deliveries = [];
    asked = 0;
  });

  afterEach(() => {
    for (const each of unsubscribe.splice(0)) each();
    queries.clear();
    queries.unmount();
  });

  function show(...queryKey: string[]): void {
    const observer = new QueryObserver(queries, {
      queryKey,
      queryFn: () => {
        asked += 1;
        const read = stored;
        return new Promise<string>((resolve) => deliveries.push(() => resolve(read)));
      },
    });
    unsubscribe.push(observer.subscribe(() => undefined));
  }
  async function deliver(): Promise<void> {
    for (const each of deliveries.splice(0)) each();
    // eslint-disable-next-line no-restricted-syntax -- an event loop turn, not a delay; browsers have only this way
    await new Promise((resolve) => setTimeout(resolve));
  }

  it('should load a query again that changed during its first load', async () => {
    // given
    show('approval', 'a');
    // when
    stored = 'new';
    const loaded = loadAgain(queries, ['approval', 'a']);
    await deliver();
    expect(queries.getQueryData(['approval', 'a'])).to.equal('old');
    await deliver();
    await loaded;
    // then
    expect(queries.getQueryData(['approval', 'a'])).to.equal('new');
    expect(asked).to.equal(2);
  });

  it('should load a displayed query once and not load other queries', async () => {
    // given
    show('approval', 'a');
    show('approval', 'b');
    await deliver();
    // when
    stored = 'new';
    const loaded = loadAgain(queries, ['approval', 'a']);
    await deliver();
    await loaded;
    // then
    expect([queries.getQueryData(['approval', 'a']), queries.getQueryData(['approval', 'b']), asked]).to.deep.equal([
      'new',
      'old',
      3,
    ]);
  });

  it('should load all queries if no key is given', async () => {
    show('approval', 'a');
    show('runs');
    await deliver();
    stored = 'new';
    const loaded = loadAgain(queries);
    await deliver();
    await loaded;
    expect([queries.getQueryData(['approval', 'a']), queries.getQueryData(['runs'])]).to.deep.equal(['new', 'new']);
  });
});
