import type { CommitFailure, CommitResult, RunWrite } from '@countersign/core/ports';

/** A value of a row: what JSON can hold; due dates are texts, ids are lower-case UUIDs. */
export type Row = Readonly<Record<string, unknown>>;

/** One table's share of a commit. */
export interface CommitPart {
  readonly name: string;
  /** Column names and PostgreSQL types of the rows; the first is `run_id`. */
  readonly columns: Readonly<Record<string, string>>;
  /**
   * Reads from `input`, which holds the rows of runs that may be written. Rows of large tables are looked up with
   * `= ANY(ARRAY(…))`, so that a plan made while the table was small still uses the index when it no longer is.
   */
  readonly sql: string;
  /** Gives the `run_id`s of those rows of `input` (here of all runs) whose runs must not be written. */
  readonly barred?: string;
  /** What is answered for barred runs; `fenced` by default. */
  readonly barredResult?: Exclude<CommitResult, 'committed' | CommitFailure>;
  rows(write: RunWrite): readonly Row[];
}

/** A part that only inserts its rows. */
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

/** A part that deletes rows by their ids. */
export function deletePart(table: string, id: string, ids: (write: RunWrite) => readonly string[]): CommitPart {
  return {
    name: `gone_${table}`,
    columns: { run_id: 'uuid', [id]: 'uuid' },
    sql: `DELETE FROM ${table} WHERE ${id} = ANY(ARRAY(SELECT ${id} FROM input))`,
    rows: (write) => ids(write).map((each) => ({ run_id: write.run.runId, [id]: each })),
  };
}

/** Stand between rows, between the values of a row, and for a value that is missing. JSON texts hold none of them (RFC 8259, 7). */
const ROW_SEPARATOR = '\u001d';
const SEPARATOR = '\u001f';
const MISSING = '\u001e';
// eslint-disable-next-line no-control-regex -- it is what must not be there
const RESERVED = /[\u001d-\u001f]/;

/** What is as long as an id and has its hyphens is one, or none that the database takes: before a separator there were too few digits. */
const UUID_LENGTH = 36;
const HYPHENS = [8, 13, 18, 23];

/**
 * The rows of a part are one text. Values are joined; rows go as lists in JSON only where a free text (`text`) is empty or
 * holds what separates values. All other columns are plain by nature: `word` is text of a vocabulary of ours, for instance a
 * status or a digest; `json text` and `jsonb text` are what is a JSON text already. A `moment` is a time of our clock in ms
 * since the epoch; not a due date, which may lie where a double no longer has each millisecond in seconds.
 */
export type RowEncoding = 'joined' | 'list';

/** The types that are PostgreSQL's by another name. */
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
 * The SQL of rows that come as one text. Splitting it costs PostgreSQL less than as many texts as there are columns, each
 * of which is a function to begin and to end (0.95 of the CPU of a run), and these less than reading JSON.
 *
 * @param parameter its number
 */
export function rowsFrom(columns: CommitPart['columns'], parameter: number, form: RowEncoding): string {
  return `SELECT ${typedColumns(columns, form).join(', ')} FROM ${splitRows(parameter, form)}`;
}

/**
 * As {@link rowsFrom}, of the runs in `ok` alone. That is found out by the text of `run_id`, which is there: to read as many
 * ids of runs as there are rows costs more than to write one for each run.
 */
export function rowsOfWritten(columns: CommitPart['columns'], parameter: number, form: RowEncoding): string {
  if (Object.keys(columns)[0] !== 'run_id') throw new Error('rows begin with the id of their run');
  return `SELECT ${['ok.run_id', ...typedColumns(columns, form).slice(1)].join(', ')} FROM ${splitRows(parameter, form)} JOIN ok ON ok.id = ${valueAt(0, form)}`;
}

function splitRows(parameter: number, form: RowEncoding): string {
  if (form === 'list') return `json_array_elements($${parameter}::json) AS x(a)`;
  // The offset keeps the planner from splitting a row once for each column.
  return `(SELECT string_to_array(r, U&'\\001F', U&'\\001E') AS a FROM string_to_table($${parameter}, U&'\\001D') AS r OFFSET 0) AS x`;
}

const valueAt = (index: number, form: RowEncoding): string =>
  form === 'list' ? `(x.a ->> ${index})` : `x.a[${index + 1}]`;

function typedColumns(columns: CommitPart['columns'], form: RowEncoding): string[] {
  return Object.entries(columns).map(([name, type], index) => `${read(valueAt(index, form), type)} AS "${name}"`);
}

/** A column as a row is written by it. */
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
 * The parameter for {@link rowsFrom}; `undefined` where a text can't be joined.
 *
 * @throws where a plain value would be taken for a missing one, or would move others into other rows: better no commit.
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
      // Half of a surrogate pair is refused by the database where it comes in JSON, and silently replaced where it does not.
      if (text !== null && column.isFree && !(isPlain(text) && text.isWellFormed())) return undefined;
      values[index] = text ?? MISSING;
      index += 1;
    }
    texts.push(values.join(SEPARATOR));
  }
  return texts.join(ROW_SEPARATOR);
}

/** Rows that are written without a pause. */
const ROWS_OF_A_PIECE = 200;

/** As {@link encodeRows}, but yields now and then: a command may write thousands of rows. */
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
  // Each text is a JSON list of rows.
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
    super('A value is empty or holds a control character where only plain values are expected.');
  }
}

/** Ids are most of what is written, and this is cheaper than a search. */
function hasHyphensOfUuid(text: string): boolean {
  if (text.length !== UUID_LENGTH) return false;
  for (const at of HYPHENS) if (text.charCodeAt(at) !== 0x2d) return false;
  return true;
}

const isPlain = (text: string): boolean => text !== '' && !RESERVED.test(text);
