import { expect } from 'chai';
import { VisitStore } from './visit-store.js';

const KEY = 'visits';

class FakeStorage {
  readonly items = new Map<string, string>();
  isFull = false;

  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.isFull) throw new Error('The quota is exceeded.');
    this.items.set(key, value);
  }
}

describe('VisitStore', () => {
  const getTimes = (store: VisitStore) =>
    [...store.getSnapshot()].map(([id, { lastCommentAt }]) => [id, lastCommentAt]);

  it('should remember visits beyond the page, and never an older comment than before', () => {
    const storage = new FakeStorage();
    const store = new VisitStore(storage, KEY);
    store.record('a', '2026-12-01T10:00:02Z');
    store.record('a', '2026-12-01T10:00:01Z');
    store.record('b', '');

    for (const each of [store, new VisitStore(storage, KEY)])
      expect(getTimes(each)).to.deep.equal([
        ['a', '2026-12-01T10:00:02Z'],
        ['b', ''],
      ]);
  });

  it('should keep the visits of other tabs', () => {
    const storage = new FakeStorage();
    const [one, other] = [new VisitStore(storage, KEY), new VisitStore(storage, KEY)];
    one.record('a', '');
    other.record('b', '');
    expect(getTimes(new VisitStore(storage, KEY))).to.deep.equal([
      ['a', ''],
      ['b', ''],
    ]);
  });

  it('should forget the oldest visits', () => {
    const store = new VisitStore(new FakeStorage(), KEY);
    for (let id = 0; id <= 1_000; id += 1) store.record(String(id), '');
    expect(store.getSnapshot().size).to.equal(1_000);
    expect(store.getSnapshot().has('0')).to.equal(false);
  });

  it('should work with a full storage, and ignore what other scripts have written', () => {
    const storage = new FakeStorage();
    storage.isFull = true;
    const store = new VisitStore(storage, KEY);
    store.record('a', '');
    expect(getTimes(store)).to.deep.equal([['a', '']]);
    for (const text of ['{', 'null', '{"a":1}', '[null,1,["a"],["a",2],[1,"b"]]', `[["a","${'x'.repeat(41)}"]]`]) {
      storage.items.set(KEY, text);
      expect(getTimes(new VisitStore(storage, KEY)), text).to.deep.equal([]);
    }
  });

  it('should notify of a new visit only', () => {
    const store = new VisitStore(new FakeStorage(), KEY);
    let count = 0;
    const unsubscribe = store.subscribe(() => (count += 1));
    store.record('a', '');
    store.record('a', '');
    unsubscribe();
    store.record('b', '');
    expect(count).to.equal(1);
  });
});
