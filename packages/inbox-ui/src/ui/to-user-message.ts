import { ConnectionError, ProblemError } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { UserFacingError } from './user-facing-error.js';

/** Returns whether there is no message for users about an error. Such an error is quoted, to help find its cause. */
export function isUnexpectedError(error: unknown): boolean {
  return ![ProblemError, ConnectionError, UserFacingError].some((errorClass) => error instanceof errorClass);
}

/**
 * Returns a message about an error for users: the server's, or one of the texts of the UI. Messages of the browser or
 * of a library are never returned.
 */
export function toUserMessage(error: unknown): string {
  if (error instanceof ProblemError) return error.problem.detail ?? error.problem.title;
  if (error instanceof ConnectionError)
    return error.peer === 'issuer' ? texts.problems.noIssuer : texts.problems.noConnection;
  return error instanceof UserFacingError ? error.message : texts.problems.unexpected;
}
