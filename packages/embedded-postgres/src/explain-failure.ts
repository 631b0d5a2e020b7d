import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { errorCode, errorMessage } from './node-error.js';

/** Adds the remedy to a system error. */
export function explainFailure(error: unknown, dataDirectory: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const remedy = remedyFor(error, dataDirectory);
  return new EmbeddedPostgresError(
    'embedded_postgres_failed',
    `The embedded PostgreSQL can't be started on ${dataDirectory}: ${errorMessage(error)}. ${remedy}`,
    { cause: error },
  );
}

function remedyFor(error: unknown, dataDirectory: string): string {
  const code = errorCode(error) ?? '';
  if (process.geteuid?.() === 0 && ['EPERM', 'EINVAL'].includes(code)) {
    return 'PostgreSQL refuses to run as root, and here root may not start it as another user (a container without the capabilities CHOWN, SETUID and SETGID, or with one user only): start Countersign as a normal user.';
  }
  if (code === 'EACCES' || code === 'EPERM')
    return `The data directory probably belongs to another user: start Countersign as the user who made ${dataDirectory}, or hand it over with chown -R.`;
  if (code === 'ENOSPC') return 'The disk is full: make room and start again.';
  if (code === 'EROFS') return 'The file system is read-only: choose another data directory.';
  return 'Put that right and start again.';
}
