import { expect } from 'chai';
import { rankItems, type PaletteItem } from './rank-items.js';

const item = (group: string, label: string, hint?: string): PaletteItem => ({
  id: label,
  group,
  label,
  ...(hint === undefined ? {} : { hint }),
  run: () => undefined,
});
const ITEMS = [
  item('Do', 'Approve'),
  item('Do', 'Request changes'),
  item('Go', 'Appearance: Dark'),
  item('Wait', 'Approve the release', 'High risk · Lets billing go on'),
  item('Wait', 'Pay 3.00 to Ünal'),
];
const found = (query: string, most?: number): Record<string, string[]> =>
  Object.fromEntries(rankItems(ITEMS, query, most).map(({ title, items }) => [title, items.map(({ label }) => label)]));

describe('rankItems', () => {
  it('should return all items in their order for an empty query', () => {
    expect(found(' ')).to.deep.equal({
      Do: ['Approve', 'Request changes'],
      Go: ['Appearance: Dark'],
      Wait: ['Approve the release', 'Pay 3.00 to Ünal'],
    });
  });

  it('should rank prefixes first, then words, substrings and letters in order', () => {
    expect(found('app')).to.deep.equal({ Do: ['Approve'], Go: ['Appearance: Dark'], Wait: ['Approve the release'] });
    expect(Object.keys(found('dark'))).to.deep.equal(['Go']);
    expect(found('rqch')).to.deep.equal({ Do: ['Request changes'] });
    expect(found('leas')).to.deep.equal({ Wait: ['Approve the release'] });
  });

  it('should require every word of the query in any order, also in the hint', () => {
    expect(found('billing approve')).to.deep.equal({ Wait: ['Approve the release'] });
    expect(found('ünal 3.00')).to.deep.equal({ Wait: ['Pay 3.00 to Ünal'] });
    expect(found('approve nowhere')).to.deep.equal({});
  });

  it('should return at most the requested number of items per group', () => {
    expect(found('', 1)).to.deep.equal({ Do: ['Approve'], Go: ['Appearance: Dark'], Wait: ['Approve the release'] });
  });
});
