/** What Node.js says where the other side of a connection is not there, or goes away. */
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
 * SQLSTATE: connection exceptions (08), insufficient resources such as connections, disk and memory (53), intervention of
 * an operator and timed-out statements (57), a lock that is not available (55P03), errors of the system below (58), and a
 * server that only reads, as a standby does (25006).
 */
const SQLSTATE = /^(08|53|57|58)[0-9A-Z]{3}$|^55P03$|^25006$/;
/** What the driver and its pools say without a code. */
const MESSAGE =
  /^(Connection (terminated|ended)|Client was closed and is not queryable|timeout exceeded when trying to connect|timeout expired$|Query read timeout|Client has encountered a connection error|Unable to acquire a connection)|Timeout acquiring a connection/i;

/** Whether a request failed because the database can't be reached or can't work now, so that the same one may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown };
  // PostgreSQL ends the connection with it, also where it does not let anybody in.
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  if (typeof code === 'string' && (CONNECTION_CODES.has(code) || SQLSTATE.test(code))) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return MESSAGE.test(error.message);
}
