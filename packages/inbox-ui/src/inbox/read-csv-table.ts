import { parseCsv } from '../ui/parse-csv.js';

/** A file with comma-separated or tab-separated values. */
export interface CsvTable {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly numericColumns: ReadonlySet<number>;
  /** Whether rows after the displayed ones are omitted. */
  readonly hasOmittedRows: boolean;
  /** Whether columns after the displayed ones are omitted. */
  readonly hasOmittedColumns: boolean;
  /** Whether other programs may read the file differently. */
  readonly isMalformed: boolean;
}

/** Maximum number of rows, without the headings, all of which are in the document. */
export const MAX_TABLE_ROWS = 1_000;
/** Maximum number of cells. Tables with many columns have fewer rows. */
export const MAX_TABLE_CELLS = 20_000;

/**
 * Reads a table from a text.
 *
 * @param separator default: detected
 * @returns `undefined` for an empty text
 */
export function readCsvTable(text: string, separator?: string): CsvTable | undefined {
  const withoutByteOrderMark = text.replace(/^\ufeff/, '');
  const { columns, rows, isTruncated, hasOmittedCells, isMalformed } = parseCsv(withoutByteOrderMark, {
    maxRows: MAX_TABLE_ROWS,
    ...(separator === undefined ? {} : { separator }),
  });
  const [firstRow, ...otherRows] = rows;
  if (firstRow === undefined) return undefined;
  const shownRows = otherRows.slice(0, Math.floor(MAX_TABLE_CELLS / columns));
  const indexes = Array.from({ length: columns }, (_, index) => index);
  return {
    headings: indexes.map((index) => firstRow[index] ?? ''),
    rows: shownRows.map((row) => indexes.map((index) => row[index] ?? '')),
    numericColumns: new Set(indexes.filter((index) => isNumeric(shownRows, index))),
    hasOmittedRows: isTruncated || shownRows.length < otherRows.length,
    hasOmittedColumns: hasOmittedCells,
    isMalformed,
  };
}

/** Returns whether a table shows all of a file, as all programs read it. */
export function isCompleteTable({ hasOmittedRows, hasOmittedColumns, isMalformed }: CsvTable): boolean {
  return !hasOmittedRows && !hasOmittedColumns && !isMalformed;
}

const NUMBER = /^[-+−]?\d[\d.,]*%?$/;

function isNumeric(rows: readonly (readonly string[])[], column: number): boolean {
  const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '');
  return cells.length > 0 && cells.every((cell) => NUMBER.test(cell));
}
