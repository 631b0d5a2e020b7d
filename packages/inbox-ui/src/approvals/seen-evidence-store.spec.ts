import type { Client } from '@countersign/contract';
import { expect } from 'chai';
import { SeenEvidenceStore, getSeenEvidenceStore } from './seen-evidence-store.js';

describe('SeenEvidenceStore', () => {
  it('should replace the map and notify subscribers when more evidence has been seen', () => {
    const store = new SeenEvidenceStore();
    const previous = store.getSnapshot();
    let notificationCount = 0;
    store.subscribe(() => (notificationCount += 1));

    store.add('a', { viewedShare: 0.5 });

    expect(store.getSnapshot()).to.not.equal(previous);
    expect(previous.size).to.equal(0);
    expect(store.getSnapshot().get('a')).to.deep.equal({
      viewedShare: 0.5,
      layouts: {},
      isOpened: false,
      downloaded: false,
    });
    expect(notificationCount).to.equal(1);
  });

  it('should keep the map and not notify subscribers when no more evidence has been seen', () => {
    const store = new SeenEvidenceStore();
    store.add('a', { viewedShare: 0.5, downloaded: true });
    const previous = store.getSnapshot();
    let notificationCount = 0;
    store.subscribe(() => (notificationCount += 1));

    store.add('a', { viewedShare: 0.4 });
    store.add('a', { downloaded: true });

    expect(store.getSnapshot()).to.equal(previous);
    expect(notificationCount).to.equal(0);
  });

  it('should be shared within a client and separate between clients', () => {
    const [client, otherClient] = [{} as Client, {} as Client];

    expect(getSeenEvidenceStore(client))
      .to.equal(getSeenEvidenceStore(client))
      .and.not.equal(getSeenEvidenceStore(otherClient));
  });
});
