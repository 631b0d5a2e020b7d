import { expect } from 'chai';
import { rankItems, type PaletteItem } from './rank-items.js';

const createItem = (group: string, label: string, hint?: string): PaletteItem => ({
  id: label,
  group,
  label,
  ...(hint === undefined ? {} : { hint }),
  run: () => undefined,
});
const ITEMS = [
  createItem('Do', 'Approve'),
  createItem('Do', 'Request changes'),
  createItem('Go', 'Appearance: Dark'),
  createItem('Wait', 'Approve the release', 'High risk · Lets billing continue'),
  createItem('Wait', 'Pay 3.00 to Ünal'),
];
const rankLabels = (query: string, maxPerGroup?: number): Record<string, string[]> =>
  Object.fromEntries(
    rankItems(ITEMS, query, maxPerGroup).map(({ title, items }) => [title, items.map(({ label }) => label)]),
  );

describe('rankItems', () => {
  it('should return all items in their order for an empty query', () => {
    expect(rankLabels(' ')).to.deep.equal({
      Do: ['Approve', 'Request changes'],
      Go: ['Appearance: Dark'],
      Wait: ['Approve the release', 'Pay 3.00 to Ünal'],
    });
  });

  it('should match prefixes, words, substrings and letters in the same order', () => {
    expect(rankLabels('app')).to.deep.equal({
      Do: ['Approve'],
      Go: ['Appearance: Dark'],
      Wait: ['Approve the release'],
    });
    expect(Object.keys(rankLabels('dark'))).to.deep.equal(['Go']);
    expect(rankLabels('rqch')).to.deep.equal({ Do: ['Request changes'] });
    expect(rankLabels('leas')).to.deep.equal({ Wait: ['Approve the release'] });
  });

  it('should require every word of the query in any order, also in the hint', () => {
    expect(rankLabels('billing approve')).to.deep.equal({ Wait: ['Approve the release'] });
    expect(rankLabels('ünal 3.00')).to.deep.equal({ Wait: ['Pay 3.00 to Ünal'] });
    expect(rankLabels('approve nowhere')).to.deep.equal({});
  });

  it('should search the full text of an item whose label is cut', () => {
    const item = { ...createItem('Wait', 'Who pays …'), searchText: 'Who pays for the Lighthouse?' };
    expect(rankItems([item], 'lighthouse pays')).to.deep.equal([{ title: 'Wait', items: [item] }]);
  });

  it('should return at most the requested number of items per group', () => {
    expect(rankLabels('', 1)).to.deep.equal({
      Do: ['Approve'],
      Go: ['Appearance: Dark'],
      Wait: ['Approve the release'],
    });
  });
});
