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

describe('inbox: navigation in the list', () => {
  const rows = listOf(['a', 'b', 'c'], ['z']);
  const goes = (current: string | undefined, place: number, by: 1 | -1, list = rows): string | undefined =>
    list[moveFrom(list, current, place, by)]?.key;

  it('should move to the next approval, skip section headings and stop at both ends', () => {
    expect(goes('a', 1, 1)).to.equal('b');
    expect(goes('c', 3, 1)).to.equal('z');
    expect(goes('z', 5, 1)).to.equal('z');
    expect(goes('z', 5, -1)).to.equal('c');
    expect(goes('a', 1, -1)).to.equal('a');
  });

  it('should start with the first approval', () => {
    expect(goes(undefined, -1, 1)).to.equal('a');
    expect(goes('elsewhere', -1, 1)).to.equal('a');
    expect(moveFrom([], undefined, -1, 1)).to.equal(-1);
  });

  it('should continue from the former position of an approval that was decided', () => {
    const after = listOf(['a', 'c'], ['b', 'z']);
    expect(goes('b', 2, 1, after)).to.equal('c');
    expect(goes('b', 2, -1, after)).to.equal('a');
  });

  it('should follow an approval that has moved within its section', () => {
    expect(goes('c', 1, -1)).to.equal('b');
  });
});
