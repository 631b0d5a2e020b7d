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
  createItem('Wait', 'Approve the release', 'High risk · Lets billing go on'),
  createItem('Wait', 'Pay 3.00 to Ünal'),
];
const rankedLabels = (query: string, most?: number): Record<string, string[]> =>
  Object.fromEntries(rankItems(ITEMS, query, most).map(({ title, items }) => [title, items.map(({ label }) => label)]));

describe('rankItems', () => {
  it('should return all items in their order for an empty query', () => {
    expect(rankedLabels(' ')).to.deep.equal({
      Do: ['Approve', 'Request changes'],
      Go: ['Appearance: Dark'],
      Wait: ['Approve the release', 'Pay 3.00 to Ünal'],
    });
  });

  it('should rank prefixes first, then words, substrings and letters in order', () => {
    expect(rankedLabels('app')).to.deep.equal({
      Do: ['Approve'],
      Go: ['Appearance: Dark'],
      Wait: ['Approve the release'],
    });
    expect(Object.keys(rankedLabels('dark'))).to.deep.equal(['Go']);
    expect(rankedLabels('rqch')).to.deep.equal({ Do: ['Request changes'] });
    expect(rankedLabels('leas')).to.deep.equal({ Wait: ['Approve the release'] });
  });

  it('should require every word of the query in any order, also in the hint', () => {
    expect(rankedLabels('billing approve')).to.deep.equal({ Wait: ['Approve the release'] });
    expect(rankedLabels('ünal 3.00')).to.deep.equal({ Wait: ['Pay 3.00 to Ünal'] });
    expect(rankedLabels('approve nowhere')).to.deep.equal({});
  });

  it('should return at most the requested number of items per group', () => {
    expect(rankedLabels('', 1)).to.deep.equal({
      Do: ['Approve'],
      Go: ['Appearance: Dark'],
      Wait: ['Approve the release'],
    });
  });
});
