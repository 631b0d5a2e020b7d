import type { CommitFailure, CommitResult, RunWrite } from '@countersign/core/ports';

/** Row of values that JSON can represent. Due dates are strings; ids are lower-case UUIDs. */
export type Row = Readonly<Record<string, unknown>>;

/** Part of a commit that concerns one table. */
export interface CommitPart {
  readonly name: string;
  /** Column names and PostgreSQL types of the rows; the first is `run_id`. */
  readonly columns: Readonly<Record<string, string>>;
  /**
   * Statement that reads from `input`, which holds the rows of runs that may be written. It looks up rows of large
   * tables with `= ANY(ARRAY(…))`, so that a plan made while the table was small still uses the index after the table
   * has grown.
   */
  readonly sql: string;
  /** Query for the `run_id`s of rows of `input` (here of all runs) whose runs must not be written. */
  readonly barred?: string;
  /** Result for barred runs; `fenced` by default. */
  readonly barredResult?: Exclude<CommitResult, 'committed' | CommitFailure>;
  rows(write: RunWrite): readonly Row[];
}

/** Returns a part that only inserts its rows. */
export function insertPart(
  name: string,
  columns: CommitPart['columns'],
  rows: CommitPart['rows'],
  suffix = '',
): CommitPart {
  const names = Object.keys(columns)
    .map((column) => `"${column}"`)
    .join(', ');
  return {
    name: `new_${name}`,
    columns,
    sql: `INSERT INTO ${name} (${names}) SELECT ${names} FROM input ${suffix}`,
    rows,
  };
}

/** Returns a part that deletes rows by their ids. */
export function deletePart(table: string, id: string, ids: (write: RunWrite) => readonly string[]): CommitPart {
  return {
    name: `gone_${table}`,
    columns: { run_id: 'uuid', [id]: 'uuid' },
    sql: `DELETE FROM ${table} WHERE ${id} = ANY(ARRAY(SELECT ${id} FROM input))`,
    rows: (write) => ids(write).map((each) => ({ run_id: write.run.runId, [id]: each })),
  };
}

/**
 * Separators of rows and of the values of a row, and the mark of a missing value. JSON text contains none of them (RFC
 * 8259, 7).
 */
const ROW_SEPARATOR = '\u001d';
const SEPARATOR = '\u001f';
const MISSING = '\u001e';
// eslint-disable-next-line no-control-regex -- it is what must not be there
const RESERVED = /[\u001d-\u001f]/;

/**
 * A string of this length with these hyphens is a UUID or is refused by the database: a separator in it would leave
 * too few digits.
 */
const UUID_LENGTH = 36;
const HYPHENS = [8, 13, 18, 23];

/**
 * Encoding of the rows of a part as one string. Values are joined; rows become JSON lists only if a free text (`text`)
 * is empty or contains a separator. All other columns are plain by nature: `word` is text from a fixed vocabulary,
 * such as a status or a digest; `json text` and `jsonb text` are JSON strings. A `moment` is a time of the server
 * clock in ms since the epoch; not a due date, which may be so far in the future that a double in seconds cannot
 * represent each millisecond.
 */
export type RowEncoding = 'joined' | 'list';

/** Types that have another name in PostgreSQL. */
const CASTS: Readonly<Record<string, string>> = {
  'text': '',
  'word': '',
  'json text': '::json',
  'jsonb text': '::jsonb',
};

/** Reading a number costs a fifth of reading a date. */
const read = (value: string, type: string): string =>
  type === 'moment' ? `to_timestamp(${value}::float8 / 1000)` : `${value}${CASTS[type] ?? `::${type}`}`;

/**
 * Returns the SQL for rows that arrive as one string. For PostgreSQL, splitting it is cheaper than one string per
 * column, each with its own function call (0.95 of the CPU time of a run), which in turn is cheaper than reading JSON.
 *
 * @param parameter number of the parameter
 */
export function rowsFrom(columns: CommitPart['columns'], parameter: number, form: RowEncoding): string {
  return `SELECT ${typedColumns(columns, form).join(', ')} FROM ${splitRows(parameter, form)}`;
}

/**
 * As {@link rowsFrom}, but only for the runs in `ok`. Compares the text of `run_id`: parsing one run id per row costs
 * more than writing one per run.
 */
export function rowsOfWritten(columns: CommitPart['columns'], parameter: number, form: RowEncoding): string {
  if (Object.keys(columns)[0] !== 'run_id') throw new Error('the first column must be run_id');
  return `SELECT ${['ok.run_id', ...typedColumns(columns, form).slice(1)].join(', ')} FROM ${splitRows(parameter, form)} JOIN ok ON ok.id = ${valueAt(0, form)}`;
}

function splitRows(parameter: number, form: RowEncoding): string {
  if (form === 'list') return `json_array_elements($${parameter}::json) AS x(a)`;
  // OFFSET 0 keeps the planner from splitting a row once per column.
  return `(SELECT string_to_array(r, U&'\\001F', U&'\\001E') AS a FROM string_to_table($${parameter}, U&'\\001D') AS r OFFSET 0) AS x`;
}

const valueAt = (index: number, form: RowEncoding): string =>
  form === 'list' ? `(x.a ->> ${index})` : `x.a[${index + 1}]`;

function typedColumns(columns: CommitPart['columns'], form: RowEncoding): string[] {
  return Object.entries(columns).map(([name, type], index) => `${read(valueAt(index, form), type)} AS "${name}"`);
}

/** Properties of a column that determine how its values are encoded. */
interface Column {
  readonly name: string;
  readonly isFree: boolean;
  readonly isUuid: boolean;
  readonly isJson: boolean;
  readonly isJsonText: boolean;
}

const knownColumns = new WeakMap<CommitPart['columns'], readonly Column[]>();

function columnsOf(columns: CommitPart['columns']): readonly Column[] {
  let known = knownColumns.get(columns);
  if (known === undefined) {
    known = Object.entries(columns).map(([name, type]) => ({
      name,
      isFree: type === 'text',
      isUuid: type === 'uuid',
      isJson: type === 'json' || type === 'jsonb',
      isJsonText: type.endsWith(' text'),
    }));
    knownColumns.set(columns, known);
  }
  return known;
}

/**
 * Returns the parameter for {@link rowsFrom}; `undefined` if a text cannot be joined.
 *
 * @throws {NonPlainValueError} if a plain value would be read as missing or would shift other values; no commit is
 * better
 */
export function encodeRows(
  columns: CommitPart['columns'],
  rows: readonly Row[],
  form: RowEncoding,
): string | undefined {
  const written = columnsOf(columns);
  if (form === 'list')
    return JSON.stringify(rows.map((row) => written.map((column) => textOf(row[column.name], column))));
  const values = new Array<string>(written.length);
  const texts: string[] = [];
  for (const row of rows) {
    let index = 0;
    for (const column of written) {
      const text = textOf(row[column.name], column);
      // The database refuses a lone surrogate in JSON, but silently replaces it in text.
      if (text !== null && column.isFree && !(isPlain(text) && text.isWellFormed())) return undefined;
      values[index] = text ?? MISSING;
      index += 1;
    }
    texts.push(values.join(SEPARATOR));
  }
  return texts.join(ROW_SEPARATOR);
}

/** Number of rows that are encoded without a pause. */
const ROWS_OF_A_PIECE = 200;

/** Encodes rows as {@link encodeRows} does, but yields regularly, because a command may write thousands of rows. */
export function* rowsTextInPieces(
  columns: CommitPart['columns'],
  rows: readonly Row[],
  form: RowEncoding,
): Generator<void, string | undefined> {
  if (rows.length <= ROWS_OF_A_PIECE) return encodeRows(columns, rows, form);
  const texts: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_OF_A_PIECE) {
    const text = encodeRows(columns, rows.slice(start, start + ROWS_OF_A_PIECE), form);
    if (text === undefined) return undefined;
    texts.push(text);
    yield;
  }
  if (form === 'joined') return texts.join(ROW_SEPARATOR);
  // Each string is a JSON list of rows.
  return `[${texts.map((text) => text.slice(1, -1)).join(',')}]`;
}

function textOf(value: unknown, { isFree, isUuid, isJson, isJsonText }: Column): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isJson || typeof value !== 'string') return JSON.stringify(value);
  // JSON is plain (RFC 8259, 7: control characters are escaped).
  if (isFree || isJsonText || (isUuid && hasHyphensOfUuid(value)) || isPlain(value)) return value;
  throw new NonPlainValueError();
}

/** Thrown when a value is not plain. The SQLSTATE makes the engine treat it as a permanent error of this write. */
class NonPlainValueError extends Error {
  /** SQLSTATE 22000, data exception. */
  readonly code = '22000';

  constructor() {
    super('A value that must be plain is empty or contains a control character.');
  }
}

/**
 * Returns whether a string has the length and hyphens of a UUID. Most values are ids, and this is cheaper than a
 * search.
 */
function hasHyphensOfUuid(text: string): boolean {
  if (text.length !== UUID_LENGTH) return false;
  for (const at of HYPHENS) if (text.charCodeAt(at) !== 0x2d) return false;
  return true;
}

const isPlain = (text: string): boolean => text !== '' && !RESERVED.test(text);
