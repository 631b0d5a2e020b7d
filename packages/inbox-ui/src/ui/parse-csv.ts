export interface CsvTable {
  readonly columns: number;
  /** The headings and at most the maximum number of rows, each with at most {@link MAX_CSV_COLUMNS} cells. */
  readonly rows: readonly (readonly string[])[];
  /** Whether rows beyond the limit are omitted. */
  readonly isTruncated: boolean;
  /** Whether cells beyond the limit of a row are omitted. */
  readonly hasOmittedCells: boolean;
  /** Whether a quote is not closed, or text follows a closed quote, so that programs may read the text differently. */
  readonly isMalformed: boolean;
}

export interface CsvOptions {
  /** Default: the comma, semicolon or tab that is most frequent in the first line. */
  readonly separator?: string;
  /** Maximum number of rows, without the headings. Default: {@link MAX_CSV_ROWS}. */
  readonly maxRows?: number;
}

/** Default of the maximum number of rows, without the headings. */
export const MAX_CSV_ROWS = 10_000;
/** Maximum number of columns. */
export const MAX_CSV_COLUMNS = 60;

/** Parses CSV (RFC 4180), and the variants with other separators. Malformed input is read literally. */
export function parseCsv(
  text: string,
  { separator = detectSeparator(/^[^\r\n]*/.exec(text)?.[0] ?? ''), maxRows = MAX_CSV_ROWS }: CsvOptions = {},
): CsvTable {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  let wasQuoted = false;
  let isMalformed = false;
  let hasOmittedCells = false;
  let isTruncated = false;
  const endCell = (): void => {
    if (row.length < MAX_CSV_COLUMNS) row.push(cell);
    else hasOmittedCells = true;
    cell = '';
    wasQuoted = false;
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
      } else {
        isQuoted = false;
        wasQuoted = true;
      }
    } else if (char === separator) endCell();
    else if (char === '\n') endRow();
    else if (char !== '\r' || text[i + 1] !== '\n') {
      isMalformed ||= wasQuoted;
      if (char === '"' && cell === '') isQuoted = true;
      else cell += char;
    }
    if (rows.length > maxRows) {
      isTruncated = i + 1 < text.length;
      break;
    }
  }
  if (cell !== '' || row.length > 0 || isQuoted || wasQuoted) endRow();
  const columns = rows.reduce((max, { length }) => Math.max(max, length), 0);
  return { columns, rows, isTruncated, hasOmittedCells, isMalformed: isMalformed || isQuoted };
}

function detectSeparator(line: string): string {
  const counts = [',', ';', '\t'].map((separator) => [separator, line.split(separator).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
