import type { Client } from '@countersign/contract';
import { expect } from 'chai';
import { SeenStore, seenStoreOf } from './seen-store.js';

describe('SeenStore', () => {
  it('should replace the map and notify when more evidence has been seen', () => {
    const store = new SeenStore();
    const before = store.all();
    let notified = 0;
    store.subscribe(() => (notified += 1));

    store.add('a', { extent: 0.5 });

    expect(store.all()).to.not.equal(before);
    expect(before.size).to.equal(0);
    expect(store.all().get('a')).to.deep.equal({ extent: 0.5, enough: false, downloaded: false });
    expect(notified).to.equal(1);
  });

  it('should keep the map and not notify when no more evidence has been seen', () => {
    const store = new SeenStore();
    store.add('a', { extent: 0.5, downloaded: true });
    const before = store.all();
    let notified = 0;
    store.subscribe(() => (notified += 1));

    store.add('a', { extent: 0.4 });
    store.add('a', { downloaded: true });

    expect(store.all()).to.equal(before);
    expect(notified).to.equal(0);
  });

  it('should be separate for each session', () => {
    const [client, other] = [{} as Client, {} as Client];

    expect(seenStoreOf(client)).to.equal(seenStoreOf(client)).and.not.equal(seenStoreOf(other));
  });
});
