import { expect } from 'chai';
import { readViews, withView, writeViews } from './saved-views.js';

describe('saved views', () => {
  it('should be kept, replaced by name, and read again', () => {
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
    it(`should not stumble over ${JSON.stringify(broken)}`, () => {
      expect(readViews(broken)).to.deep.equal([]);
    });
  }
});
