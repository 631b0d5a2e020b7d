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

const NOTHING_SEEN = { lastComment: undefined };

const seeComment = (second: number) => ({
  lastComment: { commentId: `comment-${second}`, at: `2026-12-01T10:00:0${second}Z` },
});

describe('VisitStore', () => {
  const getComments = (store: VisitStore) =>
    [...store.getSnapshot()].map(([id, { lastCommentId }]) => [id, lastCommentId]);

  it('should remember visits beyond the page, and never an older comment than before', () => {
    const storage = new FakeStorage();
    const store = new VisitStore(storage, KEY);
    store.record('a', seeComment(2));
    store.record('a', seeComment(1));
    store.record('a', { sawSubject: true });
    store.record('b', NOTHING_SEEN);

    for (const each of [store, new VisitStore(storage, KEY)])
      expect([...each.getSnapshot()]).to.deep.equal([
        ['a', { lastCommentId: 'comment-2', lastCommentAt: '2026-12-01T10:00:02Z', sawSubject: true }],
        ['b', { lastCommentId: '', lastCommentAt: '', sawSubject: false }],
      ]);
  });

  it('should keep the later of what two tabs have seen', () => {
    // given
    const storage = new FakeStorage();
    const [one, other] = [new VisitStore(storage, KEY), new VisitStore(storage, KEY)];

    // when
    one.record('a', seeComment(3));
    one.record('c', { sawSubject: true });
    other.record('b', NOTHING_SEEN);
    other.record('a', seeComment(1));
    other.record('c', seeComment(2));
    one.readStored();

    // then
    for (const each of [one, other, new VisitStore(storage, KEY)]) {
      expect(getComments(each)).to.have.deep.members([
        ['b', ''],
        ['a', 'comment-3'],
        ['c', 'comment-2'],
      ]);
      expect(each.getSnapshot().get('c')?.sawSubject).to.equal(true);
    }
  });

  it('should forget the approvals that were not visited for longest', () => {
    const store = new VisitStore(new FakeStorage(), KEY);
    for (let id = 0; id < 1_000; id += 1) store.record(String(id), NOTHING_SEEN);
    store.record('0', NOTHING_SEEN);
    store.record('new', NOTHING_SEEN);
    expect(store.getSnapshot().size).to.equal(1_000);
    expect(['0', '1', 'new'].map((id) => store.getSnapshot().has(id))).to.deep.equal([true, false, true]);
  });

  it('should work with a full storage, and ignore what other scripts have written', () => {
    const storage = new FakeStorage();
    storage.isFull = true;
    const store = new VisitStore(storage, KEY);
    store.record('a', NOTHING_SEEN);
    store.record('b', NOTHING_SEEN);
    store.readStored();
    expect(getComments(store)).to.deep.equal([
      ['a', ''],
      ['b', ''],
    ]);
    const long = 'x'.repeat(65);
    for (const text of ['{', 'null', '{"a":1}', '[null,1,["a"],["a","",2],[1,"b","c"]]', `[["a","","${long}"]]`]) {
      storage.items.set(KEY, text);
      expect(getComments(new VisitStore(storage, KEY)), text).to.deep.equal([]);
    }
  });

  it('should notify of what is new only', () => {
    const store = new VisitStore(new FakeStorage(), KEY);
    let count = 0;
    const unsubscribe = store.subscribe(() => (count += 1));
    store.record('a', NOTHING_SEEN);
    store.record('a', NOTHING_SEEN);
    store.record('a', seeComment(1));
    store.record('a', seeComment(1));
    unsubscribe();
    store.record('b', NOTHING_SEEN);
    expect(count).to.equal(2);
  });
});
