import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { getErrorCode, getErrorMessage } from './node-error.js';

/** Converts an error to an `EmbeddedPostgresError` whose message contains the remedy. */
export function toEmbeddedPostgresError(error: unknown, dataDirectory: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const remedy = findRemedy(error, dataDirectory);
  return new EmbeddedPostgresError(
    'embedded_postgres_failed',
    `The embedded PostgreSQL cannot be started on ${dataDirectory}: ${getErrorMessage(error)}. ${remedy}`,
    { cause: error },
  );
}

function findRemedy(error: unknown, dataDirectory: string): string {
  const code = getErrorCode(error) ?? '';
  if (process.geteuid?.() === 0 && ['EPERM', 'EINVAL'].includes(code)) {
    return 'PostgreSQL refuses to run as root, and root cannot start it as another user here (the container lacks the capabilities CHOWN, SETUID and SETGID, or has only one user). Start Countersign as a normal user.';
  }
  if (code === 'EACCES' || code === 'EPERM')
    return `The data directory probably belongs to another user. Start Countersign as the user who created ${dataDirectory}, or change its owner with chown -R.`;
  if (code === 'ENOSPC') return 'The disk is full. Free some space and start again.';
  if (code === 'EROFS') return 'The file system is read-only. Choose another data directory.';
  return 'Fix the cause and start again.';
}
