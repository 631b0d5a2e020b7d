/** Error codes of Node.js for a peer that is unreachable or closes the connection. */
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/**
 * SQLSTATE: connection exceptions (08), insufficient resources such as connections, disk and memory (53), operator
 * intervention and timed-out statements (57), an unavailable lock (55P03), system errors (58), and a read-only server
 * such as a standby (25006).
 */
const SQLSTATE_PATTERN = /^(08|53|57|58)[0-9A-Z]{3}$|^55P03$|^25006$/;
/** Errors of the driver and its pools that have no code. */
const MESSAGE_PATTERN =
  /^(Connection (terminated|ended)|Client was closed and is not queryable|timeout exceeded when trying to connect|timeout expired$|Query read timeout|Client has encountered a connection error|Unable to acquire a connection)|Timeout acquiring a connection/i;

/**
 * Returns whether a request failed because the database is unreachable or currently unable to work, so that a retry may
 * succeed later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown };
  // PostgreSQL ends the connection with this severity, also when it refuses a login.
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  if (typeof code === 'string' && (CONNECTION_CODES.has(code) || SQLSTATE_PATTERN.test(code))) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  return MESSAGE_PATTERN.test(error.message);
}
