import { expect } from 'chai';
import { readViews, withView, writeViews } from './saved-views.js';

describe('saved views', () => {
  it('should be replaced by name and be the same after they are stored and read', () => {
    const views = withView(
      withView([{ name: 'Mine', filter: { startedBy: 'ada' } }], { name: 'Bad', filter: { status: 'failed' } }),
      { name: 'Mine', filter: { startedBy: 'eve', q: 'x=1&y' } },
    );
    expect(readViews(writeViews(views))).to.deep.equal([
      { name: 'Mine', filter: { startedBy: 'eve', q: 'x=1&y' } },
      { name: 'Bad', filter: { status: 'failed' } },
    ]);
  });

  for (const broken of ['', '{', 'null', '{"a":1}', '[null,3,{"name":""},{"name":"a"},{"name":"a","filter":{}}]']) {
    it(`should ignore the invalid stored value ${JSON.stringify(broken)}`, () => {
      expect(readViews(broken)).to.deep.equal([]);
    });
  }
});
