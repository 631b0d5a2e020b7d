import { expect } from 'chai';
import { MAX_CSV_COLUMNS } from '../ui/parse-csv.js';
import { isCompleteTable, MAX_TABLE_CELLS, MAX_TABLE_ROWS, readCsvTable } from './read-csv-table.js';

describe('readCsvTable', () => {
  it('should return the headings, the rows and the columns of numbers', () => {
    // when
    const table = readCsvTable('\ufeffname;amount;note\nPaper;-1.234,50\nInk;9%;x\n');

    // then
    expect(table).to.deep.equal({
      headings: ['name', 'amount', 'note'],
      rows: [
        ['Paper', '-1.234,50', ''],
        ['Ink', '9%', 'x'],
      ],
      numericColumns: new Set([1]),
      hasOmittedRows: false,
      hasOmittedColumns: false,
      isMalformed: false,
    });
  });

  it('should use the given separator', () => {
    expect(readCsvTable('a, b\tc', '\t')?.headings).to.deep.equal(['a, b', 'c']);
  });

  it('should return no table for an empty text', () => {
    expect(readCsvTable('')).to.equal(undefined);
  });

  const buildText = (rows: number, columns: number): string =>
    Array.from({ length: rows + 1 }, () => 'x,'.repeat(columns - 1) + 'x').join('\n');

  for (const [description, text, rowCount, isComplete] of [
    ['all rows up to the maximum', buildText(MAX_TABLE_ROWS, 2), MAX_TABLE_ROWS, true],
    ['not more rows than the maximum', buildText(MAX_TABLE_ROWS + 1, 2), MAX_TABLE_ROWS, false],
    ['fewer rows if there are many columns', buildText(MAX_TABLE_ROWS, 40), MAX_TABLE_CELLS / 40, false],
    ['not more columns than the maximum', buildText(1, MAX_CSV_COLUMNS + 1), 1, false],
    ['the cells of a malformed text', 'a,b\n"c"d,e', 1, false],
  ] as const)
    it(`should return ${description}, and whether the table is complete`, () => {
      const table = readCsvTable(text);
      expect(table?.rows.length).to.equal(rowCount);
      expect(table && isCompleteTable(table)).to.equal(isComplete);
    });
});
