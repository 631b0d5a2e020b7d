import type { CommitResult, RunWrite } from '@countersign/core/plugin';

/** A value of a row: what JSON can hold; due dates are texts, ids are lower-case UUIDs. */
export type Row = Readonly<Record<string, unknown>>;

/** One table's share of a commit. */
export interface CommitPart {
  readonly name: string;
  /** Column names and PostgreSQL types of the rows; `run_id` is always one. */
  readonly columns: Readonly<Record<string, string>>;
  /**
   * Reads from `input`, which holds the rows of runs that may be written. Rows of large tables are looked up with
   * `= ANY(ARRAY(…))`, so that a plan made while the table was small still uses the index when it no longer is.
   */
  readonly sql: string;
  /** Gives the `run_id`s of those rows of `input` (here of all runs) whose runs must not be written. */
  readonly barred?: string;
  /** What is answered for barred runs; `fenced` by default. */
  readonly barredResult?: Exclude<CommitResult, 'committed'>;
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
  return { name: `new_${name}`, columns, sql: `INSERT INTO ${name} (${names}) SELECT ${names} FROM input ${suffix}`, rows };
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

/** Stand between the values of a column, and for one that is missing. JSON texts hold neither (RFC 8259, 7). */
const SEPARATOR = '\u001f';
const MISSING = '\u001e';
// eslint-disable-next-line no-control-regex -- it is what must not be there
const RESERVED = /[\u001e\u001f]/;

/** What has it is one id, or none that the database takes: two of them are longer. */
const UUID_LENGTH = 36;

/**
 * Free text (`text`) goes as a JSON list where one of its values is empty or holds what separates values, and joined where
 * none does, which is most times. All other columns are plain by nature: `word` is text of a vocabulary of ours, for
 * instance a status or a digest; `json text` and `jsonb text` are what is a JSON text already. A `moment` is a time of our
 * clock in ms since the epoch; not a due date, which may lie where a double no longer has each millisecond in seconds.
 */
export type TextForm = 'joined' | 'list';

/** The types that are PostgreSQL's by another name. */
const CASTS: Readonly<Record<string, string>> = { text: '', word: '', 'json text': '::json', 'jsonb text': '::jsonb' };

/** Reading a number costs a fifth of reading a date. */
const read = (value: string, type: string): string => (type === 'moment' ? `to_timestamp(${value}::float8 / 1000)` : `${value}${CASTS[type] ?? `::${type}`}`);

/**
 * The SQL of rows that come as one list a column, zipped. Plain values are joined to one text: splitting it costs
 * PostgreSQL a fifth less than reading a JSON list, which in turn costs half of what `json_to_recordset` does with a list
 * of objects.
 *
 * @param first number of the first parameter
 */
export function rowsFrom(columns: CommitPart['columns'], first: number, texts: TextForm): string {
  return `SELECT ${typedColumns(columns).join(', ')} FROM ${zipped(columns, first, texts)}`;
}

/**
 * As {@link rowsFrom}, of the runs in `ok` alone. That is found out by the text of `run_id`, which is there: to read as many
 * ids of runs as there are rows costs more than to write one for each run.
 */
export function rowsOfWritten(columns: CommitPart['columns'], first: number, texts: TextForm): string {
  const { run_id: runId, ...others } = columns;
  if (runId === undefined) throw new Error('rows belong to a run');
  return `SELECT ${['ok.run_id', ...typedColumns(others)].join(', ')} FROM ${zipped(columns, first, texts)} JOIN ok ON ok.id = x.run_id`;
}

function zipped(columns: CommitPart['columns'], first: number, texts: TextForm): string {
  const lists = Object.values(columns).map((type, index) =>
    type === 'text' && texts === 'list' ? `json_array_elements_text($${first + index}::json)` : `string_to_table($${first + index}, U&'\\001F', U&'\\001E')`,
  );
  return `ROWS FROM (${lists.join(', ')}) AS x(${Object.keys(columns).map((name) => `"${name}"`).join(', ')})`;
}

function typedColumns(columns: CommitPart['columns']): string[] {
  return Object.entries(columns).map(([name, type]) => `${read(`x."${name}"`, type)} AS "${name}"`);
}

/** The parameters for {@link rowsFrom}; `undefined` where a text can't be joined. */
export function columnLists(columns: CommitPart['columns'], rows: readonly Row[], texts: TextForm): string[] | undefined {
  const lists: string[] = [];
  for (const [name, type] of Object.entries(columns)) {
    const list = type === 'text' && texts === 'list' ? JSON.stringify(rows.map((row) => row[name] ?? null)) : joinColumn(rows, name, type);
    if (list === undefined) return undefined;
    lists.push(list);
  }
  return lists;
}

/** @throws where a plain value would be taken for a missing one, or would move those behind it into other rows: better no commit. */
function joinColumn(rows: readonly Row[], name: string, type: string): string | undefined {
  const isFree = type === 'text';
  const isWord = type === 'word';
  const isJson = type === 'json' || type === 'jsonb';
  const texts: string[] = [];
  for (const row of rows) {
    const value = row[name] ?? null;
    if (value === null) texts.push(MISSING);
    else if (typeof value === 'number' || typeof value === 'boolean') texts.push(String(value));
    else if (isJson || typeof value !== 'string') texts.push(JSON.stringify(value));
    // JSON is plain (RFC 8259, 7: control characters are escaped), and so are times, which we make ourselves.
    else if (!isFree && !isWord && (type !== 'uuid' || value.length === UUID_LENGTH)) texts.push(value);
    // Half of a surrogate pair is refused by the database where it comes in JSON, and silently replaced where it does not.
    else if (isPlain(value) && (isWord || value.isWellFormed())) texts.push(value);
    else if (isFree) return undefined;
    else throw new Error('A value is empty or holds a control character where only plain values are expected.');
  }
  return texts.join(SEPARATOR);
}

const isPlain = (text: string): boolean => text !== '' && !RESERVED.test(text);
