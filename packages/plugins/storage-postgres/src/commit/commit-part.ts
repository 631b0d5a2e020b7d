import type { CommitFailure, CommitResult, RunWrite } from '@countersign/core/ports';

/** Row of values that JSON can represent. Due dates are strings; ids are lower-case UUIDs. */
export type Row = Readonly<Record<string, unknown>>;

/** Part of a commit that concerns one table. */
export interface CommitPart {
  readonly name: string;
  /** Column names and PostgreSQL types of the rows; the first is `run_id`. */
  readonly columns: Readonly<Record<string, string>>;
  /**
   * Statement that reads from `input`, which holds the rows of the runs that are written. It looks up rows of large
   * tables with `= ANY(ARRAY(…))`, so that a plan made while the table was small still uses the index after the table
   * has grown.
   */
  readonly sql: string;
  /** Query for the `run_id` of each run that must not be written. Here, `input` holds the rows of all runs. */
  readonly rejectedSql?: string;
  /** Result for the runs that `rejectedSql` returns; `fenced` by default. */
  readonly rejectedResult?: Exclude<CommitResult, 'committed' | CommitFailure>;
  rows(write: RunWrite): readonly Row[];
}

/** Returns a part that only inserts its rows. */
export function createInsertPart(
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
export function createDeletePart(table: string, id: string, ids: (write: RunWrite) => readonly string[]): CommitPart {
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
const VALUE_SEPARATOR = '\u001f';
const NULL_MARK = '\u001e';
// eslint-disable-next-line no-control-regex -- these are the characters to detect
const RESERVED_CHARACTERS = /[\u001d-\u001f]/;

/**
 * A string of this length with these hyphens is a UUID or is refused by the database: a separator in it would leave
 * too few digits.
 */
const UUID_LENGTH = 36;
const HYPHEN_POSITIONS = [8, 13, 18, 23];

/**
 * Encoding of the rows of a part as one string. Values are joined; rows become JSON lists only if a free text (`text`)
 * is empty, contains a separator or a lone surrogate. Values of all other columns are never empty and contain no
 * separators: `word` is text from a fixed vocabulary, such as a status or a digest; `json text` and `jsonb text` are
 * JSON strings. A `moment` is a time of the server clock in ms since the epoch; not a due date, which may be so far in
 * the future that a double in seconds cannot represent each millisecond.
 */
export type RowEncoding = 'joined' | 'list';

/** SQL casts of the types that are not cast by their own name. */
const CASTS: Readonly<Record<string, string>> = {
  'text': '',
  'word': '',
  'json text': '::json',
  'jsonb text': '::jsonb',
};

/**
 * Returns SQL that casts a value to the type of its column. PostgreSQL parses a number five times as fast as a date.
 */
const castColumn = (value: string, type: string): string =>
  type === 'moment' ? `to_timestamp(${value}::float8 / 1000)` : `${value}${CASTS[type] ?? `::${type}`}`;

/**
 * Returns the SQL for rows that arrive as one string. Splitting one string costs PostgreSQL less than one string per
 * column, each with its own function call (95 % of the CPU time per run). Reading JSON costs more than both.
 *
 * @param parameter number of the parameter
 */
export function selectRows(columns: CommitPart['columns'], parameter: number, encoding: RowEncoding): string {
  return `SELECT ${typedColumns(columns, encoding).join(', ')} FROM ${splitRows(parameter, encoding)}`;
}

/**
 * Returns the SQL of {@link selectRows}, restricted to the runs in `ok`. Compares `run_id` as text, because parsing it
 * in each row costs more than converting it to text once per run.
 */
export function selectRowsOfWrittenRuns(
  columns: CommitPart['columns'],
  parameter: number,
  encoding: RowEncoding,
): string {
  if (Object.keys(columns)[0] !== 'run_id') throw new Error('the first column must be run_id');
  return `SELECT ${['ok.run_id', ...typedColumns(columns, encoding).slice(1)].join(', ')} FROM ${splitRows(parameter, encoding)} JOIN ok ON ok.id = ${columnAt(0, encoding)}`;
}

function splitRows(parameter: number, encoding: RowEncoding): string {
  if (encoding === 'list') return `json_array_elements($${parameter}::json) AS x(a)`;
  // OFFSET 0 keeps the planner from splitting a row once per column.
  return `(SELECT string_to_array(r, U&'\\001F', U&'\\001E') AS a FROM string_to_table($${parameter}, U&'\\001D') AS r OFFSET 0) AS x`;
}

const columnAt = (index: number, encoding: RowEncoding): string =>
  encoding === 'list' ? `(x.a ->> ${index})` : `x.a[${index + 1}]`;

function typedColumns(columns: CommitPart['columns'], encoding: RowEncoding): string[] {
  return Object.entries(columns).map(
    ([name, type], index) => `${castColumn(columnAt(index, encoding), type)} AS "${name}"`,
  );
}

/** Properties of a column that determine how its values are encoded. */
interface Column {
  readonly name: string;
  readonly isFreeText: boolean;
  readonly isUuid: boolean;
  readonly isJson: boolean;
  readonly isJsonText: boolean;
}

const columnCache = new WeakMap<CommitPart['columns'], readonly Column[]>();

function describeColumns(columns: CommitPart['columns']): readonly Column[] {
  let known = columnCache.get(columns);
  if (known === undefined) {
    known = Object.entries(columns).map(([name, type]) => ({
      name,
      isFreeText: type === 'text',
      isUuid: type === 'uuid',
      isJson: type === 'json' || type === 'jsonb',
      isJsonText: type.endsWith(' text'),
    }));
    columnCache.set(columns, known);
  }
  return known;
}

/**
 * Returns the parameter for {@link selectRows}; `undefined` if a text cannot be joined.
 *
 * @throws {NonPlainValueError} if a value that must be plain is empty or contains a separator, because it would be
 *   read as missing or would shift other values
 */
export function encodeRows(
  columns: CommitPart['columns'],
  rows: readonly Row[],
  encoding: RowEncoding,
): string | undefined {
  const columnInfos = describeColumns(columns);
  if (encoding === 'list')
    return JSON.stringify(rows.map((row) => columnInfos.map((column) => encodeValue(row[column.name], column))));
  const values = new Array<string>(columnInfos.length);
  const texts: string[] = [];
  for (const row of rows) {
    let index = 0;
    for (const column of columnInfos) {
      const text = encodeValue(row[column.name], column);
      // In JSON, the database refuses a lone surrogate. In text, UTF-8 encoding would silently replace it.
      if (text !== null && column.isFreeText && !(isPlain(text) && text.isWellFormed())) return undefined;
      values[index] = text ?? NULL_MARK;
      index += 1;
    }
    texts.push(values.join(VALUE_SEPARATOR));
  }
  return texts.join(ROW_SEPARATOR);
}

/** Maximum number of rows that are encoded without yielding. */
const ROWS_PER_PIECE = 200;

/** Encodes rows as {@link encodeRows} does, but yields regularly, because a command may write thousands of rows. */
export function* encodeRowsInPieces(
  columns: CommitPart['columns'],
  rows: readonly Row[],
  encoding: RowEncoding,
): Generator<void, string | undefined> {
  if (rows.length <= ROWS_PER_PIECE) return encodeRows(columns, rows, encoding);
  const texts: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_PIECE) {
    const text = encodeRows(columns, rows.slice(start, start + ROWS_PER_PIECE), encoding);
    if (text === undefined) return undefined;
    texts.push(text);
    yield;
  }
  if (encoding === 'joined') return texts.join(ROW_SEPARATOR);
  // Each string is a JSON list of rows.
  return `[${texts.map((text) => text.slice(1, -1)).join(',')}]`;
}

function encodeValue(value: unknown, { isFreeText, isUuid, isJson, isJsonText }: Column): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isJson || typeof value !== 'string') return JSON.stringify(value);
  // JSON is plain (RFC 8259, 7: control characters are escaped).
  if (isFreeText || isJsonText || (isUuid && hasUuidHyphens(value)) || isPlain(value)) return value;
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
function hasUuidHyphens(text: string): boolean {
  if (text.length !== UUID_LENGTH) return false;
  for (const position of HYPHEN_POSITIONS) if (text.charCodeAt(position) !== 0x2d) return false;
  return true;
}

const isPlain = (text: string): boolean => text !== '' && !RESERVED_CHARACTERS.test(text);
