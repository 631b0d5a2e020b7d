import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import { anApproval } from './inbox.spec.support.js';
import { inboxRows, type InboxSectionId } from './inbox-sections.js';
import { moveFrom } from './move-from.js';

const part = (id: InboxSectionId, ...names: string[]) => ({
  id,
  label: id,
  hasMore: false,
  loading: false,
  empty: '',
  items: names.map((approvalId): Approval =>
    anApproval({ approvalId, ...(id === 'decided' ? { status: 'approved' } : {}) }),
  ),
});
const listOf = (mine: string[], decided: string[]) =>
  inboxRows([part('mine', ...mine), part('decided', ...decided)], new Set());

describe('inbox: moving through the list', () => {
  const rows = listOf(['a', 'b', 'c'], ['z']);
  const goes = (current: string | undefined, place: number, by: 1 | -1, list = rows): string | undefined =>
    list[moveFrom(list, current, place, by)]?.key;

  it('should go from one approval to the next, over the heads of parts, and stay at the ends', () => {
    expect(goes('a', 1, 1)).to.equal('b');
    expect(goes('c', 3, 1)).to.equal('z');
    expect(goes('z', 5, 1)).to.equal('z');
    expect(goes('z', 5, -1)).to.equal('c');
    expect(goes('a', 1, -1)).to.equal('a');
  });

  it('should begin with the first', () => {
    expect(goes(undefined, -1, 1)).to.equal('a');
    expect(goes('elsewhere', -1, 1)).to.equal('a');
    expect(moveFrom([], undefined, -1, 1)).to.equal(-1);
  });

  it('should go on with what took the place of one that was decided', () => {
    const after = listOf(['a', 'c'], ['b', 'z']);
    expect(goes('b', 2, 1, after)).to.equal('c');
    expect(goes('b', 2, -1, after)).to.equal('a');
  });

  it('should follow one that has only moved within its part', () => {
    expect(goes('c', 1, -1)).to.equal('b');
  });
});
