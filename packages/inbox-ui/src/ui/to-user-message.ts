import { ConnectionError, ProblemError } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { UserFacingError } from './user-facing-error.js';

/** Whether nobody has words for it: then it is quoted, for whoever looks for the cause. */
export function isUnexpectedError(error: unknown): boolean {
  return ![ProblemError, ConnectionError, UserFacingError].some((kind) => error instanceof kind);
}

/** One sentence about an error, for people: the server's, or one of the texts; never what a browser or a library says. */
export function toUserMessage(error: unknown): string {
  if (error instanceof ProblemError) return error.problem.detail ?? error.problem.title;
  if (error instanceof ConnectionError)
    return error.peer === 'issuer' ? texts.problems.noIssuer : texts.problems.noConnection;
  return error instanceof UserFacingError ? error.message : texts.problems.unexpected;
}
