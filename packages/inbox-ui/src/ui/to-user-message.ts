import { ConnectionError, ProblemError } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { UserFacingError } from './user-facing-error.js';

/** Returns whether there is no text for an error: it is then quoted, to help find the cause. */
export function isUnexpectedError(error: unknown): boolean {
  return ![ProblemError, ConnectionError, UserFacingError].some((kind) => error instanceof kind);
}

/**
 * Returns one sentence about an error for users: the server's, or one of the texts; never a message of a browser or
 * library.
 */
export function toUserMessage(error: unknown): string {
  if (error instanceof ProblemError) return error.problem.detail ?? error.problem.title;
  if (error instanceof ConnectionError)
    return error.peer === 'issuer' ? texts.problems.noIssuer : texts.problems.noConnection;
  return error instanceof UserFacingError ? error.message : texts.problems.unexpected;
}
