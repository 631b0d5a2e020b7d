import { expect } from 'chai';
import { MAX_CSV_COLUMNS, MAX_CSV_ROWS, parseCsv } from './parse-csv.js';

describe('parseCsv', () => {
  it('should parse quotes, other separators and ragged rows', () => {
    expect(parseCsv('a,b\r\n"x ""y"", z","line\nbreak"\n1\n').rows).to.deep.equal([
      ['a', 'b'],
      ['x "y", z', 'line\nbreak'],
      ['1'],
    ]);
    expect(parseCsv('a;b;c\n1;2,5;3')).to.deep.equal({
      columns: 3,
      rows: [
        ['a', 'b', 'c'],
        ['1', '2,5', '3'],
      ],
      isTruncated: false,
      hasOmittedCells: false,
      isMalformed: false,
    });
    expect(parseCsv('')).to.deep.equal({
      columns: 0,
      rows: [],
      isTruncated: false,
      hasOmittedCells: false,
      isMalformed: false,
    });
  });

  it('should return the heading and at most the maximum number of rows', () => {
    const rows = 'a,b\n'.repeat(MAX_CSV_ROWS);
    const complete = parseCsv(`heading,other\n${rows}`);
    expect(complete.rows.length).to.equal(MAX_CSV_ROWS + 1);
    expect(complete.isTruncated).to.equal(false);

    const truncated = parseCsv(`heading,other\n${rows}one,more\n`);
    expect(truncated.rows.length).to.equal(MAX_CSV_ROWS + 1);
    expect(truncated.isTruncated).to.equal(true);
  });

  it('should report cells beyond the maximum number of columns', () => {
    const widest = parseCsv('a,'.repeat(MAX_CSV_COLUMNS - 1) + 'b');
    expect([widest.columns, widest.hasOmittedCells]).to.deep.equal([MAX_CSV_COLUMNS, false]);
    const tooWide = parseCsv(`${'a,'.repeat(MAX_CSV_COLUMNS)}b\n1,2`);
    expect([tooWide.columns, tooWide.hasOmittedCells]).to.deep.equal([MAX_CSV_COLUMNS, true]);
  });

  it('should use the given separator and maximum number of rows', () => {
    expect(parseCsv('a, b, c\td\n1\t2\n3\t4', { separator: '\t', maxRows: 1 })).to.deep.include({
      rows: [
        ['a, b, c', 'd'],
        ['1', '2'],
      ],
      isTruncated: true,
    });
  });

  for (const [text, rows] of [
    ['a,"b', [['a', 'b']]],
    ['"a"b,c', [['ab', 'c']]],
    ['"" "a",b', [[' "a"', 'b']]],
    ['a\n"', [['a'], ['']]],
  ] as const)
    it(`should report that the quotes of ${JSON.stringify(text)} are malformed`, () => {
      expect(parseCsv(text)).to.deep.include({ rows, isMalformed: true });
    });

  it('should accept quotes within a cell', () => {
    expect(parseCsv('a "b" c,""\n"",d')).to.deep.include({
      rows: [
        ['a "b" c', ''],
        ['', 'd'],
      ],
      isMalformed: false,
    });
  });
});
