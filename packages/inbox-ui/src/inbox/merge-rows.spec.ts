import type { InboxItem, Page } from '@countersign/contract';
import { expect } from 'chai';
import { createApproval } from './inbox.spec.support.js';
import { mergeRows, type InboxListFilter } from './merge-rows.js';

const MINE = { inbox: 'mine', sort: 'urgency' } as const;
const OTHERS = { inbox: 'others', sort: 'urgency' } as const;

function createItem(approvalId: string, overrides: Partial<InboxItem> = {}): InboxItem {
  const { approvalId: _id, ...rest } = createApproval();
  return { ...rest, approvalId, ...overrides };
}

const createPage = (nextCursor: string | null, ...items: InboxItem[]): Page<InboxItem> => ({ items, nextCursor });

describe('mergeRows', () => {
  const merge = (
    pages: readonly Page<InboxItem>[],
    filter: InboxListFilter,
    changedIds: readonly string[],
    ...found: InboxItem[]
  ) =>
    (mergeRows(pages, filter, new Set(changedIds), found) ?? [])
      .flatMap(({ items }) => items)
      .map(({ approvalId }) => approvalId)
      .sort();

  it('should replace a changed row, and remove rows that no longer belong to the list', () => {
    // given
    const pages = [createPage('more', createItem('a'), createItem('b')), createPage(null, createItem('c'))];

    // when
    const found = [createItem('a', { status: 'approved' }), createItem('b', { title: 'New title' })];
    const merged = mergeRows(pages, MINE, new Set(['a', 'b', 'c']), found) ?? [];

    // then
    expect(merged.flatMap(({ items }) => items).map(({ approvalId, title }) => [approvalId, title])).to.deep.equal([
      ['b', 'New title'],
    ]);
    expect(merged.map(({ nextCursor }) => nextCursor)).to.deep.equal(['more', null]);
  });

  it('should add a row only to the lists that it belongs to', () => {
    const empty = [createPage(null)];
    const own = createItem('a', { canDecide: { allowed: false, reasons: ['self_approval'] } });
    const voted = createItem('a', { status: 'rejected', votedByCaller: true });
    const decided = { inbox: 'decided', status: 'all' } as const;

    expect(merge(empty, MINE, ['a'], createItem('a'))).to.deep.equal(['a']);
    expect(merge(empty, MINE, ['a'], own)).to.deep.equal([]);
    expect(merge(empty, OTHERS, ['a'], own)).to.deep.equal(['a']);
    expect(merge(empty, OTHERS, ['a'], createItem('a'))).to.deep.equal([]);
    expect(merge(empty, decided, ['a'], voted)).to.deep.equal(['a']);
    expect(merge(empty, decided, ['a'], createItem('a'))).to.deep.equal([]);
    expect(merge(empty, { status: 'rejected' }, ['a'], voted)).to.deep.equal(['a']);
    expect(merge(empty, { status: 'pending' }, ['a'], voted)).to.deep.equal([]);
    expect(merge(empty, { status: 'all' }, ['a'], voted)).to.deep.equal(['a']);
  });

  it('should not add a row beyond the end of what is loaded, because it is loaded later', () => {
    const pages = [createPage('more', createItem('b', { riskLevel: 'high' }))];
    expect(merge(pages, MINE, ['c'], createItem('c'))).to.deep.equal(['b']);
    expect(merge(pages, MINE, ['c'], createItem('c', { riskLevel: 'critical' }))).to.deep.equal(['b', 'c']);
    expect(merge(pages, { status: 'all', sort: 'newest' }, ['a'], createItem('a'))).to.deep.equal(['b']);
    expect(merge(pages, { status: 'all', sort: 'newest' }, ['c'], createItem('c'))).to.deep.equal(['b', 'c']);
  });

  it('should still know the end of what was loaded after the last row has left', () => {
    // given
    const [a, b, y, z] = ['a', 'b', 'y', 'z'].map((id) => createItem(id)) as [
      InboxItem,
      InboxItem,
      InboxItem,
      InboxItem,
    ];

    // when
    const withoutLast = mergeRows([createPage('more', a, b, z)], MINE, new Set(['z']), []) ?? [];

    // then
    expect(merge(withoutLast, MINE, ['y'], y)).to.deep.equal(['a', 'b', 'y']);
  });

  it('should ask to load the list again if less than half of the rows remain and the server has more', () => {
    const items = ['a', 'b', 'c', 'd', 'e'].map((id) => createItem(id));
    const gone = (count: number): Set<string> => new Set(items.slice(0, count).map(({ approvalId }) => approvalId));
    expect(mergeRows([createPage('more', ...items)], MINE, gone(2), [])).to.have.length(1);
    expect(mergeRows([createPage('more', ...items)], MINE, gone(3), [])).to.equal(undefined);
    expect(mergeRows([createPage(null, ...items)], MINE, gone(5), [])).to.have.length(1);
  });
});
