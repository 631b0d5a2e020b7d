import type { RunWrite } from '@countersign/core/plugin';

/** A value of a row: what JSON can hold; times are texts, ids are lower-case UUIDs. */
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

/**
 * The SQL of rows that come as one JSON list a column, zipped. Lists of plain values cost PostgreSQL about half of what
 * `json_to_recordset` does with a list of objects.
 *
 * @param first number of the first parameter
 */
export function rowsFrom(columns: CommitPart['columns'], first: number): string {
  const names = Object.keys(columns);
  const lists = names.map((_name, index) => `json_array_elements_text($${first + index}::json)`);
  const typed = Object.entries(columns).map(([name, type]) => (type === 'text' ? `x."${name}"` : `x."${name}"::${type} AS "${name}"`));
  return `SELECT ${typed.join(', ')} FROM ROWS FROM (${lists.join(', ')}) AS x(${names.map((name) => `"${name}"`).join(', ')})`;
}

/** The parameters for {@link rowsFrom}. */
export function columnLists(columns: CommitPart['columns'], rows: readonly Row[]): string[] {
  return Object.keys(columns).map((name) => JSON.stringify(rows.map((row) => row[name] ?? null)));
}
