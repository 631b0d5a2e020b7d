/**
 * SQLSTATE classes of permanent errors (ISO/IEC 9075-2; PostgreSQL, appendix A): cardinality (21), data (22),
 * integrity (23), view check option (44), program limits (54). All others may be transient: connection, resources,
 * concurrency, operator intervention, privileges.
 */
const PERMANENT_CLASSES: ReadonlySet<string> = new Set(['21', '22', '23', '44', '54']);
/**
 * After a lost connection (08) or an operator intervention (57), it is unknown whether the transaction was committed.
 */
const OUTCOME_UNKNOWN_CLASSES: ReadonlySet<string> = new Set(['08', '57']);

/** Returns the SQLSTATE with which the database refused a statement; `undefined` for all other errors. */
export function readSqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  // An operating-system error such as EPIPE may look like an SQLSTATE.
  return !('syscall' in error) && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** Returns whether the database reported that a statement failed, so that its transaction was certainly rolled back. */
export function isRolledBack(error: unknown): boolean {
  const state = readSqlState(error);
  return state !== undefined && !OUTCOME_UNKNOWN_CLASSES.has(state.slice(0, 2));
}

/** Returns whether the database would refuse the same statement again. */
export function isPermanent(error: unknown): boolean {
  return PERMANENT_CLASSES.has(readSqlState(error)?.slice(0, 2) ?? '');
}
