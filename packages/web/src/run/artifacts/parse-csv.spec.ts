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
    });
    expect(parseCsv('')).to.deep.equal({
      columns: 0,
      rows: [],
      isTruncated: false,
      hasOmittedCells: false,
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
});
