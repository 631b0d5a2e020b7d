export interface CsvTable {
  readonly columns: number;
  /** The headings and at most {@link MAX_CSV_ROWS} rows, each with at most {@link MAX_CSV_COLUMNS} cells. */
  readonly rows: readonly (readonly string[])[];
  /** Whether rows beyond the limit are omitted. */
  readonly isTruncated: boolean;
  /** Whether cells beyond the limit of a row are omitted. */
  readonly hasOmittedCells: boolean;
}

/** Maximum number of rows, without the headings. */
export const MAX_CSV_ROWS = 10_000;
/** Maximum number of columns. */
export const MAX_CSV_COLUMNS = 60;

/**
 * Parses CSV (RFC 4180). The separator is the comma, semicolon or tab that is most frequent in the first line.
 * Malformed input is read literally.
 */
export function parseCsv(text: string): CsvTable {
  const separator = detectSeparator(text.slice(0, text.search(/[\r\n]/) === -1 ? text.length : text.search(/[\r\n]/)));
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  let hasOmittedCells = false;
  const endCell = (): void => {
    if (row.length < MAX_CSV_COLUMNS) row.push(cell);
    else hasOmittedCells = true;
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === separator) endCell();
    else if (char === '\n') endRow();
    else if (char !== '\r' || text[i + 1] !== '\n') cell += char;
    if (rows.length > MAX_CSV_ROWS) return toCsvTable(rows, i + 1 < text.length, hasOmittedCells);
  }
  if (cell !== '' || row.length > 0) endRow();
  return toCsvTable(rows, false, hasOmittedCells);
}

function toCsvTable(rows: readonly string[][], isTruncated: boolean, hasOmittedCells: boolean): CsvTable {
  const columns = rows.reduce((max, { length }) => Math.max(max, length), 0);
  return { columns, rows, isTruncated, hasOmittedCells };
}

function detectSeparator(line: string): string {
  const counts = [',', ';', '\t'].map((separator) => [separator, line.split(separator).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
