/** Settings of a session of PostgreSQL, by name. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * What statements and their results rely on. A role, a database or a server may have other values for all of them
 * (`ALTER ROLE … SET`), so that each connection says its own.
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
  // Pooled connections wait for work.
  idle_session_timeout: '0',
});

/** Settings as the `options` of a connection (PostgreSQL, 20.1.4); of two of one name, the last counts. */
export function asOptions(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');
}

/**
 * Takes the `options` out of a connection string: the driver would use them instead of those that it is given besides.
 * Without any, those of `PGOPTIONS` count, as with other programs.
 */
export function splitOptions(connectionString: string): {
  readonly connectionString: string;
  readonly options: string;
} {
  const url = URL.canParse(connectionString) ? new URL(connectionString) : undefined;
  const options = url?.searchParams.get('options') ?? null;
  if (url === undefined || options === null) return { connectionString, options: process.env['PGOPTIONS'] ?? '' };
  url.searchParams.delete('options');
  return { connectionString: url.href, options };
}
