import { expect } from 'chai';
import { columnLists, type Row } from './commit-part.js';

const COLUMNS = { word: 'word', id: 'uuid', number: 'int', document: 'jsonb', text: 'text' };
const lists = (...rows: Row[]): Record<string, string> => {
  const values = columnLists(COLUMNS, rows, 'list') ?? [];
  return Object.fromEntries(Object.keys(COLUMNS).map((name, index) => [name, values[index] ?? '']));
};

describe('columnLists()', () => {
  it('should escape what separates values wherever it may occur: in free text and in documents', () => {
    const text = '\u001f\u001e"\n';

    const { document, text: texts } = lists({ word: 'a', document: { [text]: text }, text }, { word: 'b', document: text, text: '' });

    expect(document?.split('\u001f').map((each) => JSON.parse(each) as unknown)).to.deep.equal([{ [text]: text }, text]);
    expect(JSON.parse(texts ?? '')).to.deep.equal([text, '']);
  });

  it('should tell missing values from those that look like it', () => {
    expect(lists({ word: null, number: 0, document: null, text: null }, { word: 'null', document: 'null', text: 'null' })).to.deep.equal({
      word: '\u001e\u001fnull',
      id: '\u001e\u001f\u001e',
      number: '0\u001f\u001e',
      document: '\u001e\u001f"null"',
      text: '[null,"null"]',
    });
  });

  it('should refuse plain values that would move others into other rows', () => {
    for (const word of ['', '\u001e', '\u001f', 'a\u001fb', 'a\u001e']) {
      expect(() => lists({ word: 'fine' }, { word }), JSON.stringify(word)).to.throw(/plain values/);
    }
    const id = '01a203ef-7786-736d-a248-d7434faf6ef6';
    for (const ids of ['', '\u001e', `${id}\u001f${id}`]) expect(() => lists({ id }, { id: ids }), JSON.stringify(ids)).to.throw(/plain values/);
  });

  it('should join free texts, but for those that would come apart otherwise', () => {
    // given
    const joined = (...texts: (string | null)[]) => columnLists({ text: 'text' }, texts.map((text) => ({ text })), 'joined');

    // then
    expect(joined('a "b"\n', null, 'ü')).to.deep.equal(['a "b"\n\u001f\u001e\u001fü']);
    for (const text of ['', '\u001e', 'a\u001fb', '\ud800']) expect(joined('fine', text), JSON.stringify(text)).to.equal(undefined);
  });
});
