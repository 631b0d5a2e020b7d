import type { Client } from '@countersign/contract';
import { expect } from 'chai';
import { StoredLists, type InboxQuery } from './stored-lists.js';

const MINE: InboxQuery = { inbox: 'mine', sort: 'urgency', limit: 100 };

describe('StoredLists', () => {
  let stored: [InboxQuery, unknown][];
  let isFailing: boolean;
  let scheduled: (() => void)[];
  let lists: StoredLists;

  beforeEach(() => {
    stored = [];
    isFailing = false;
    scheduled = [];
    const listInbox: Client['listInbox'] = () =>
      isFailing ? Promise.reject(new Error('No response.')) : Promise.resolve({ items: [], nextCursor: 'current' });
    lists = new StoredLists({
      client: { listInbox },
      cache: { put: (_operation, query, page) => void stored.push([query as InboxQuery, page]) },
      schedule: (run) => void scheduled.push(run),
    });
  });

  async function reload(): Promise<void> {
    for (const run of scheduled.splice(0)) run();
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  }

  it('should store loaded lists, and load them once again after rows have changed', async () => {
    // given
    lists.add(MINE, 'first');
    lists.add({ ...MINE, cursor: 'next' }, 'second');
    expect(stored).to.deep.equal([
      [MINE, 'first'],
      [{ ...MINE, cursor: 'next' }, 'second'],
    ]);
    stored.length = 0;

    // when
    for (let change = 0; change < 100; change += 1) lists.onRowsChanged();
    expect(scheduled).to.have.length(1);
    await reload();

    // then
    expect(stored).to.deep.equal([[MINE, { items: [], nextCursor: 'current' }]]);
  });

  it('should keep what is stored if the server does not respond, and try again after the next change', async () => {
    // given
    lists.add(MINE, 'first');
    stored.length = 0;
    isFailing = true;
    lists.onRowsChanged();
    await reload();
    expect(stored).to.deep.equal([]);

    // when
    isFailing = false;
    lists.onRowsChanged();
    await reload();

    // then
    expect(stored).to.have.length(1);
  });

  it('should load only the lists that were displayed last', async () => {
    for (let n = 0; n < 20; n += 1) lists.add({ ...MINE, q: String(n) }, 'page');
    stored.length = 0;
    lists.onRowsChanged();
    await reload();
    expect(stored.map(([{ q }]) => q)).to.deep.equal(['12', '13', '14', '15', '16', '17', '18', '19']);
  });
});
