import { expect } from 'chai';
import { encodeRows, type Row } from './commit-part.js';

const COLUMNS = { word: 'word', id: 'uuid', number: 'int', document: 'jsonb', text: 'text' };
const encodeList = (...rows: Row[]): unknown => JSON.parse(encodeRows(COLUMNS, rows, 'list') ?? '');
const encodeJoined = (...rows: Row[]): string | undefined => encodeRows(COLUMNS, rows, 'joined');

describe('encodeRows()', () => {
  it('should join values and rows with separators', () => {
    expect(
      encodeJoined(
        { word: 'a', id: null, number: 1, document: { b: true }, text: 'c "d"\n' },
        { word: 'e', number: 0, text: 'ü' },
      ),
    ).to.equal('a\u001f\u001e\u001f1\u001f{"b":true}\u001fc "d"\n\u001de\u001f\u001e\u001f0\u001f\u001e\u001fü');
  });

  it('should escape separators in documents', () => {
    const text = '\u001d\u001f\u001e"\n';
    const [firstDocument, secondDocument] = (encodeJoined({ document: { [text]: text } }, { document: text }) ?? '')
      .split('\u001d')
      .map((each) => each.split('\u001f')[3] ?? '');

    expect([firstDocument, secondDocument].map((each) => JSON.parse(each ?? '') as unknown)).to.deep.equal([
      { [text]: text },
      text,
    ]);
  });

  it('should distinguish missing values from null strings and null documents', () => {
    expect(
      encodeJoined(
        { word: null, number: 0, document: null, text: null },
        { word: 'null', document: 'null', text: 'null' },
      ),
    ).to.equal(
      '\u001e\u001f\u001e\u001f0\u001f\u001e\u001f\u001e\u001dnull\u001f\u001e\u001f\u001e\u001f"null"\u001fnull',
    );
  });

  it('should refuse plain values that are empty or contain a separator', () => {
    for (const word of ['', '\u001d', '\u001e', '\u001f', 'a\u001fb', 'a\u001e']) {
      expect(() => encodeJoined({ word: 'fine' }, { word }), JSON.stringify(word)).to.throw(/must be plain/);
    }
    const id = '01a203ef-7786-736d-a248-d7434faf6ef6';
    for (const invalidId of ['', '\u001e', `${id}\u001f${id}`, `${id.replaceAll('-', '')}\u001fabc`])
      expect(() => encodeJoined({ id }, { id: invalidId }), JSON.stringify(invalidId)).to.throw(/must be plain/);
    expect(() => encodeRows({ due_at: 'timestamptz' }, [{ due_at: '2026-01-01T00:00:00Z\u001f' }], 'joined')).to.throw(
      /must be plain/,
    );
  });

  it('should not join free text that is empty, malformed or contains a separator', () => {
    for (const text of ['', '\u001d', '\u001e', 'a\u001fb', '\ud800'])
      expect(encodeJoined({ text: 'fine' }, { text }), JSON.stringify(text)).to.equal(undefined);
  });

  it('should encode any string in list format', () => {
    expect(encodeList({ word: 'a', number: 1, document: { b: [] }, text: '' }, { text: '\u001f' })).to.deep.equal([
      ['a', null, '1', '{"b":[]}', ''],
      [null, null, null, null, '\u001f'],
    ]);
  });
});
