import { expect } from 'chai';
import { parseViews, addOrReplaceView, serializeViews } from './saved-views.js';

describe('saved views', () => {
  it('should be replaced by name and be unchanged after they are serialized and parsed', () => {
    const views = addOrReplaceView(
      addOrReplaceView([{ name: 'Mine', filter: { startedBy: 'ada' } }], { name: 'Bad', filter: { status: 'failed' } }),
      { name: 'Mine', filter: { startedBy: 'eve', q: 'x=1&y' } },
    );
    expect(parseViews(serializeViews(views))).to.deep.equal([
      { name: 'Mine', filter: { startedBy: 'eve', q: 'x=1&y' } },
      { name: 'Bad', filter: { status: 'failed' } },
    ]);
  });

  for (const invalidValue of [
    '',
    '{',
    'null',
    '{"a":1}',
    '[null,3,{"name":""},{"name":"a"},{"name":"a","filter":{}}]',
  ]) {
    it(`should ignore the invalid stored value ${JSON.stringify(invalidValue)}`, () => {
      expect(parseViews(invalidValue)).to.deep.equal([]);
    });
  }
});
