import { ConnectionError } from './connection-error.js';
import { ProblemError } from './problem-error.js';

/**
 * What an error tells of the request. `refused`: the server did nothing. `lost`: nobody knows whether it did. `unheard`: it
 * did nothing now, and did not look at what became of the same request of before.
 */
export type RequestFate = 'refused' | 'lost' | 'unheard';

export function fateOf(error: unknown): RequestFate {
  // An error of another kind is one of the caller's own: it can't tell whether it came before the request or after it.
  if (error instanceof ConnectionError || !(error instanceof ProblemError)) return 'lost';
  // A proxy's answer, or one of a server that fails in between, says nothing about the request.
  if (error.retryable || error.status >= 500 || error.code === 'unexpected_response') return 'lost';
  // Without a token or a role the server does not come to look at an idempotency key.
  return error.status === 401 || error.code === 'forbidden' ? 'unheard' : 'refused';
}
