/** Stable codes of everything that can go wrong with the embedded database. */
export const EMBEDDED_POSTGRES_ERROR_CODES = Object.freeze({
  /** PostgreSQL could not be initialised, started or reached. The message ends with its own log. */
  failed: 'embedded_postgres_failed',
  /** The data directory was made by another major version of PostgreSQL. */
  versionMismatch: 'embedded_postgres_version_mismatch',
  /** Another live process owns the data directory. */
  inUse: 'embedded_postgres_in_use',
  /** The binaries from npm are missing or incomplete. */
  notInstalled: 'embedded_postgres_not_installed',
  /** Somebody asked for one port, and it is taken. */
  portTaken: 'embedded_postgres_port_taken',
} as const);

export type EmbeddedPostgresErrorCode =
  (typeof EMBEDDED_POSTGRES_ERROR_CODES)[keyof typeof EMBEDDED_POSTGRES_ERROR_CODES];

/** Says what went wrong with the embedded PostgreSQL, and what to do about it. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
    this.code = code;
  }
}
