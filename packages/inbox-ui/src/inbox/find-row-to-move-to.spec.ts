import { expect } from 'chai';
import { createApproval, createSection } from './inbox.spec.support.js';
import { buildInboxRows } from './inbox-sections.js';
import { findRowToMoveTo } from './find-row-to-move-to.js';

const createRows = (mine: string[], decided: string[]) =>
  buildInboxRows(
    [
      createSection(
        'mine',
        mine.map((approvalId) => createApproval({ approvalId })),
      ),
      createSection(
        'decided',
        decided.map((approvalId) => createApproval({ approvalId, status: 'approved' })),
      ),
    ],
    new Set(),
  );

describe('inbox: navigation in the list', () => {
  const rows = createRows(['a', 'b', 'c'], ['z']);
  const findNextKey = (current: string | undefined, position: number, by: 1 | -1, list = rows): string | undefined =>
    list[findRowToMoveTo(list, current, position, by)]?.key;

  it('should move to the next approval, skip section headings and stop at both ends', () => {
    expect(findNextKey('a', 1, 1)).to.equal('b');
    expect(findNextKey('c', 3, 1)).to.equal('z');
    expect(findNextKey('z', 5, 1)).to.equal('z');
    expect(findNextKey('z', 5, -1)).to.equal('c');
    expect(findNextKey('a', 1, -1)).to.equal('a');
  });

  it('should start with the first approval if the current approval is not in the list', () => {
    expect(findNextKey(undefined, -1, 1)).to.equal('a');
    expect(findNextKey('elsewhere', -1, 1)).to.equal('a');
    expect(findRowToMoveTo([], undefined, -1, 1)).to.equal(-1);
  });

  it('should continue from the former position of an approval that was decided', () => {
    const updatedRows = createRows(['a', 'c'], ['b', 'z']);
    expect(findNextKey('b', 2, 1, updatedRows)).to.equal('c');
    expect(findNextKey('b', 2, -1, updatedRows)).to.equal('a');
  });

  it('should follow an approval that has moved within its section', () => {
    expect(findNextKey('c', 1, -1)).to.equal('b');
  });
});
