/** Stable codes of all errors of the embedded database. */
export const EMBEDDED_POSTGRES_ERROR_CODES = Object.freeze({
  /**
   * PostgreSQL could not be initialised, started, reached or stopped. If it did not start, the message ends with the
   * last lines of its log, if there are any.
   */
  failed: 'embedded_postgres_failed',
  /** Another major version of PostgreSQL created the data directory. */
  versionMismatch: 'embedded_postgres_version_mismatch',
  /** Another live process owns the data directory. */
  inUse: 'embedded_postgres_in_use',
  /** The binaries from npm are missing or incomplete, or do not run on this machine. */
  notInstalled: 'embedded_postgres_not_installed',
  /** The configured port is taken. */
  portTaken: 'embedded_postgres_port_taken',
} as const);

export type EmbeddedPostgresErrorCode =
  (typeof EMBEDDED_POSTGRES_ERROR_CODES)[keyof typeof EMBEDDED_POSTGRES_ERROR_CODES];

/** Thrown when the embedded PostgreSQL fails. The message usually includes the remedy. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
    this.code = code;
  }
}
