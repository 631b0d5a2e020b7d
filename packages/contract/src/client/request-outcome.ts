import { ConnectionError } from './connection-error.js';
import { ProblemError } from './problem-error.js';

/**
 * Effect of a failed request, as far as the error shows it:
 *
 * - `refused`: the server did nothing.
 * - `executed`: the server has executed the request earlier, and its response was erased since then.
 * - `unknown`: the server may have acted.
 * - `unauthorized`: the server did nothing this time, and did not look up an earlier attempt with the same idempotency
 *   key.
 */
export type RequestOutcome = 'refused' | 'executed' | 'unknown' | 'unauthorized';

export function toRequestOutcome(error: unknown): RequestOutcome {
  // Any other error comes from the caller's code, so it is unknown whether it occurred before or after the request.
  if (error instanceof ConnectionError || !(error instanceof ProblemError)) return 'unknown';
  // A response of a proxy, or of a server that fails midway, does not show whether the request had an effect.
  if (error.retryable || error.status >= 500 || error.code === 'unexpected_response') return 'unknown';
  if (error.code === 'response_erased') return 'executed';
  // Without a token or a role, the server does not look up the idempotency key.
  return error.status === 401 || error.code === 'forbidden' ? 'unauthorized' : 'refused';
}
