/** Settings of a PostgreSQL session, by name. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Settings that statements and their results rely on. A role, database or server may set other defaults (`ALTER ROLE …
 * SET`), so every connection sends these values.
 */
export const REQUIRED_SETTINGS: SessionSettings = Object.freeze({
  // Format of times and numbers, which arrive as text.
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  extra_float_digits: '1',
  // Interpretation of statements.
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  // Semantics of commits: revisions guard commands, and a command is durable before its response is sent.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  synchronous_commit: 'on',
  // Connections wait for work, and survive a failed statement.
  idle_session_timeout: '0',
  exit_on_error: 'off',
});

/**
 * Returns settings as the `options` of a connection (PostgreSQL, 20.1.4). If a name occurs twice, the last value wins.
 */
export function toOptions(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');
}

/**
 * Returns a parameter of a connection string; `undefined` if missing. If a name occurs twice, the last value wins, as
 * in the driver.
 */
export function readParameter(connectionString: string, name: string): string | undefined {
  return new URLSearchParams(readQueryString(connectionString)).getAll(name).at(-1);
}

/**
 * Separates the `options` from a connection string, because the driver would use only these and ignore the options that
 * Countersign sets. If the string has no `options`, `PGOPTIONS` is used, as in libpq. The rest of the string stays
 * unchanged.
 */
export function splitOptions(connectionString: string): {
  readonly connectionString: string;
  readonly options: string;
} {
  const options = readParameter(connectionString, 'options');
  if (options === undefined) return { connectionString, options: process.env['PGOPTIONS'] ?? '' };
  const query = readQueryString(connectionString);
  const rest = query
    .split('&')
    .filter((part) => !/^options(?:=|$)/.test(part))
    .join('&');
  const address = connectionString.slice(0, connectionString.length - query.length - 1);
  return { connectionString: rest === '' ? address : `${address}?${rest}`, options };
}

function readQueryString(connectionString: string): string {
  const queryStart = connectionString.indexOf('?');
  return queryStart === -1 ? '' : connectionString.slice(queryStart + 1);
}
