/** Settings of a session of PostgreSQL, by name. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * What statements and their results rely on. A role, database or server may set other defaults (`ALTER ROLE … SET`), so every
 * connection sends these values.
 */
export const RELIED_ON: SessionSettings = Object.freeze({
  // Times and numbers come as text.
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  extra_float_digits: '1',
  // How statements are read.
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  // What a commit means: commands are guarded by revisions, and are durable when they are answered.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  synchronous_commit: 'on',
  // Connections wait for work, and outlive a statement that fails.
  idle_session_timeout: '0',
  exit_on_error: 'off',
});

/** Settings as the `options` of a connection (PostgreSQL, 20.1.4); of two of one name, the last counts. */
export function asOptions(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');
}

/** A parameter of a connection string; `undefined` where it has none. Of two of one name, the last counts, as in the driver. */
export function parameterOf(connectionString: string, name: string): string | undefined {
  return new URLSearchParams(queryOf(connectionString)).getAll(name).at(-1);
}

/**
 * Takes the `options` out of a connection string; otherwise the driver would use only these and ignore ours. If the string has
 * no `options`, `PGOPTIONS` is used, as by libpq. The rest of the string stays as it is written.
 */
export function splitOptions(connectionString: string): {
  readonly connectionString: string;
  readonly options: string;
} {
  const options = parameterOf(connectionString, 'options');
  if (options === undefined) return { connectionString, options: process.env['PGOPTIONS'] ?? '' };
  const query = queryOf(connectionString);
  const rest = query
    .split('&')
    .filter((part) => !/^options(?:=|$)/.test(part))
    .join('&');
  const address = connectionString.slice(0, connectionString.length - query.length - 1);
  return { connectionString: rest === '' ? address : `${address}?${rest}`, options };
}

function queryOf(connectionString: string): string {
  const mark = connectionString.indexOf('?');
  return mark === -1 ? '' : connectionString.slice(mark + 1);
}
