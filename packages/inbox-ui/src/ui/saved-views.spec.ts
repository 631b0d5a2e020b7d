import { expect } from 'chai';
import { parseViews, addOrReplaceView, serializeViews } from './saved-views.js';

const keepQuery = (query: string): string => query;

describe('saved views', () => {
  it('should be replaced by name and be unchanged after they are serialized and parsed', () => {
    const views = addOrReplaceView(
      addOrReplaceView([{ name: 'Mine', query: 'startedBy=ada' }], { name: 'Bad', query: 'status=failed' }),
      { name: 'Mine', query: 'startedBy=eve&q=x%3D1%26y' },
    );
    expect(parseViews(serializeViews(views), keepQuery)).to.deep.equal([
      { name: 'Mine', query: 'startedBy=eve&q=x%3D1%26y' },
      { name: 'Bad', query: 'status=failed' },
    ]);
  });

  it('should have the canonical form of their queries', () => {
    const stored = serializeViews([{ name: 'Mine', query: 'unknown=1' }]);
    expect(parseViews(stored, () => 'q=a')).to.deep.equal([{ name: 'Mine', query: 'q=a' }]);
  });

  for (const invalidValue of [
    '',
    '{',
    'null',
    '{"a":1}',
    '[null,3,{"name":""},{"name":"a"},{"name":"a","filter":{}}]',
  ]) {
    it(`should ignore the invalid stored value ${JSON.stringify(invalidValue)}`, () => {
      expect(parseViews(invalidValue, keepQuery)).to.deep.equal([]);
    });
  }
});
