import { RetryableFailure, TerminalFailure } from '@countersign/core/plugin';

/** Maximum delay that is accepted from a code host. */
const MAX_WAIT_MS = 24 * 3_600_000;
/** Minimum delay that GitHub requires if it states none ("Best practices for using the REST API"). */
const DEFAULT_WAIT_MS = 60_000;
const MAX_MESSAGE_LENGTH = 300;

/** An error response of the code host, as thrown by Octokit. */
export interface HostErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly message: string;
}

/**
 * Reads an error response from an error thrown by Octokit. Returns `undefined` if the error occurred without a
 * response.
 */
export function readErrorResponse(error: unknown): HostErrorResponse | undefined {
  if (!(error instanceof Error) || !('status' in error) || !('response' in error)) return undefined;
  const { status, response } = error;
  if (typeof status !== 'number' || typeof response !== 'object' || response === null || !('headers' in response))
    return undefined;
  return {
    status,
    headers: response.headers as HostErrorResponse['headers'],
    message: readErrorMessage('data' in response ? response.data : undefined),
  };
}

/**
 * Converts the error of a failed call. Rate limits and server errors are retryable, after the delay that the host
 * states; refusals are not.
 *
 * @param now milliseconds since the epoch
 */
export function toFailure(error: unknown, now: number): unknown {
  const errorResponse = readErrorResponse(error);
  // Octokit wraps the error of its `fetch`, which already states whether it is retryable.
  if (errorResponse === undefined) return error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { status, message } = errorResponse;
  const wait = readRateLimitDelay(errorResponse, now);
  if (wait !== undefined)
    return new RetryableFailure(
      'codehost_rate_limited',
      `The code host limits the rate of requests (status ${status}).`,
      wait,
    );
  if (status >= 500 || status === 408 || status === 425)
    return new RetryableFailure(
      'codehost_unavailable',
      `The code host failed with status ${status}.`,
      parseRetryAfter(errorResponse),
    );
  return new TerminalFailure(
    ERROR_CODES[status] ?? 'codehost_refused',
    `The code host responded with status ${status}${message === '' ? '' : `: ${message}`}.`,
  );
}

const ERROR_CODES: Readonly<Record<number, string>> = {
  401: 'codehost_unauthorized',
  403: 'codehost_forbidden',
  404: 'codehost_not_found',
  409: 'codehost_conflict',
  410: 'codehost_not_found',
  422: 'codehost_invalid',
};

/**
 * Returns the delay of a rate limit in milliseconds; `undefined` if the response does not report a rate limit. A 403
 * can mean a rate limit or a missing permission.
 */
function readRateLimitDelay(errorResponse: HostErrorResponse, now: number): number | undefined {
  const { status, headers, message } = errorResponse;
  if (status !== 403 && status !== 429) return undefined;
  const retryAfterMs = parseRetryAfter(errorResponse);
  if (retryAfterMs !== undefined) return retryAfterMs;
  const resetMs = Number(headers['x-ratelimit-reset']) * 1_000 - now;
  if (String(headers['x-ratelimit-remaining']) === '0' && Number.isFinite(resetMs))
    return Math.min(Math.max(resetMs, 1_000), MAX_WAIT_MS);
  return status === 429 || /rate limit/i.test(message) ? DEFAULT_WAIT_MS : undefined;
}

/** Converts `Retry-After`, which code hosts give in seconds, to milliseconds. */
function parseRetryAfter({ headers }: HostErrorResponse): number | undefined {
  const header = headers['retry-after'];
  return header !== undefined && /^\d{1,9}$/.test(String(header).trim())
    ? Math.min(Number(header) * 1_000, MAX_WAIT_MS)
    : undefined;
}

function readErrorMessage(data: unknown): string {
  const message =
    typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
      ? data.message
      : '';
  return message
    .slice(0, MAX_MESSAGE_LENGTH)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .toWellFormed();
}
