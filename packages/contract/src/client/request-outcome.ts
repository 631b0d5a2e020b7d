import { ConnectionError } from './connection-error.js';
import { ProblemError } from './problem-error.js';

/**
 * What an error says about its request. `refused`: the server did nothing. `unknown`: the server may have acted.
 * `unauthorized`: the server did nothing this time, and did not look up an earlier attempt with the same idempotency key.
 */
export type RequestOutcome = 'refused' | 'unknown' | 'unauthorized';

export function outcomeOfError(error: unknown): RequestOutcome {
  // An error of another kind is one of the caller's own: it can't tell whether it came before the request or after it.
  if (error instanceof ConnectionError || !(error instanceof ProblemError)) return 'unknown';
  // A proxy's answer, or one of a server that fails in between, says nothing about the request.
  if (error.retryable || error.status >= 500 || error.code === 'unexpected_response') return 'unknown';
  // Without a token or a role the server does not come to look at an idempotency key.
  return error.status === 401 || error.code === 'forbidden' ? 'unauthorized' : 'refused';
}
