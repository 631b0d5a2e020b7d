import { truncateText } from '@countersign/model';
import { ModelError, isModelError } from '../model-provider.js';
import { ModelResponseError, parseErrorBody, type ReportedError } from './error-body.js';
import { parseRetryAfterMs } from './retry-after.js';

/** The known facts of a failed language model request. */
interface ModelHttpFailure {
  /** Provider id. */
  readonly provider: string;
  readonly host: string;
  /** `undefined`: no response, or the stream ended with an error. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly reported: ReportedError;
  /** Must not appear in a message. */
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Provider codes meaning that waiting does not help. `QUOTA_EXHAUSTED_PATTERN` covers providers that have no code for
 * it.
 */
const QUOTA_EXHAUSTED_CODES: ReadonlySet<string> = new Set([
  ...['insufficient_quota', 'billing_hard_limit_reached', 'billing_error', 'billing_not_active'],
  ...['insufficient_balance', 'insufficient_credits', 'insufficient_funds', 'credits_exhausted'],
  ...['exceeded_current_quota_error', 'budget_exceeded', 'exceededbudget', 'spend_limit_exceeded', 'quota_exceeded'],
  // Zhipu: the account is in arrears.
  '1113',
]);
const QUOTA_EXHAUSTED_PATTERN =
  /\b(?:credit balance is too low|insufficient[ _](?:balance|credits?|funds|quota)|used all available credits|ExceededBudget|exceeded your current quota|check your plan and billing details)\b/i;
/** Gateways also use these words with the status of an unavailable server. */
const BILLING_PLAN_PATTERN = /\bcheck your plan and billing details\b/i;
/** Gemini uses the same words for a per-minute limit. A gateway may pass them on as text. */
const RATE_LIMIT_PATTERN = /\bresource_?exhausted\b|\bplease retry in \d/i;
/**
 * Gemini's per-minute and per-day limits differ only in the quota. A limit of 0 means that the plan does not include
 * the model.
 */
const DAILY_QUOTA_PATTERN = /per_?day/;
const ZERO_QUOTA_PATTERN = /\bQuota exceeded for metric: \S{1,200}, limit: 0\b/;
/** llama.cpp reports this with the status of a server error. */
const REFUSED_PATTERN = /^\w+ param requires --jinja flag\b/;
/** Gemini reports this with the status of any bad request. */
const UNAUTHORIZED_PATTERN = /\bAPI key not valid\b/i;
const MALFORMED_OUTPUT_PATTERN =
  /\b(?:tool_use_failed|tool_call_failed|tool_call_parse_error|json_validate_failed|output_parse_failed|Failed to generate tool_calls)\b/;
/** Statuses that mean that the request or the account is refused. */
const STATUSES_WITH_PATTERNS: ReadonlySet<number> = new Set([400, 402, 403, 422, 429]);
/** Errors of the language model: its output could not be parsed. On a retry it may produce other output. */
const MALFORMED_OUTPUT_CODES: ReadonlySet<string> = new Set([
  ...['tool_use_failed', 'tool_call_failed', 'json_validate_failed', 'json_generation_failed', 'output_parse_failed'],
  ...['malformed_function_call', 'failed_generation', 'invalid_tool_call', 'tool_call_parse_error', 'tool_error'],
]);
/** Provider codes for limits and overload, used if the status does not show them, for example within a stream. */
const RATE_LIMIT_CODES: ReadonlySet<string> = new Set([
  ...['rate_limit_exceeded', 'rate_limit_error', 'rate_limit', 'rate_limited', 'tokens', 'requests'],
  ...['too_many_requests', 'resource_exhausted', 'throttlingexception'],
]);
const REFUSED_CODES: ReadonlySet<string> = new Set([
  ...['invalid_request_error', 'context_length_exceeded', 'not_found_error', 'invalid_argument', 'badrequesterror'],
]);
const UNAUTHORIZED_CODES: ReadonlySet<string> = new Set([
  ...['authentication_error', 'permission_error', 'invalid_api_key', 'unauthenticated', 'permission_denied'],
]);

/**
 * Converts an error response to a `ModelError`. Its message contains no key, and it has no cause that could reveal one.
 */
function toModelHttpError(failure: ModelHttpFailure): ModelError {
  const { provider, host, status, headers, now } = failure;
  const providerDescription = `The model provider "${provider}" (${host})`;
  if (status !== undefined && status >= 300 && status < 400) {
    return new ModelError(
      'model_request_refused',
      `${providerDescription} redirects (status ${status}). Redirects are not followed, so that no key or prompt is sent to another host. Set its BaseUrl to the address that it redirects to.`,
      false,
    );
  }
  const { code, retryable } = classifyFailure(failure);
  const description = `${providerDescription} ${status === undefined ? 'returned an error' : `responded with status ${status}`}${describeDetail(failure)}`;
  const retryAfterMs = retryable
    ? parseRetryAfterMs(headers ?? new Headers(), now, failure.reported.retryAfterMs)
    : undefined;
  return new ModelError(code, description, retryable, retryAfterMs);
}

function classifyFailure({ status: responseStatus, reported: { codes, detail = '' } }: ModelHttpFailure): {
  readonly code: string;
  readonly retryable: boolean;
} {
  const hasCodeIn = (known: ReadonlySet<string>) => codes.some((code) => known.has(code));
  // Some providers put the intended status into the code.
  const status = responseStatus ?? codes.map(Number).find((code) => code >= 400 && code < 600);
  const isQuotaExhausted =
    hasCodeIn(QUOTA_EXHAUSTED_CODES) ||
    codes.some((code) => DAILY_QUOTA_PATTERN.test(code)) ||
    ZERO_QUOTA_PATTERN.test(detail);
  if (isQuotaExhausted) return { code: 'model_rate_limited', retryable: false };
  if (hasCodeIn(MALFORMED_OUTPUT_CODES)) return { code: 'model_answer_malformed', retryable: true };
  const isRateLimit = codes.includes('resource_exhausted') || RATE_LIMIT_PATTERN.test(detail);
  if (status === 503 && BILLING_PLAN_PATTERN.test(detail) && !isRateLimit)
    return { code: 'model_rate_limited', retryable: false };
  // The message of a server error may quote anything, so it is not searched for these words.
  if (status === undefined || STATUSES_WITH_PATTERNS.has(status)) {
    if (QUOTA_EXHAUSTED_PATTERN.test(detail) && !isRateLimit) return { code: 'model_rate_limited', retryable: false };
    if (UNAUTHORIZED_PATTERN.test(detail)) return { code: 'model_unauthorized', retryable: false };
    if (MALFORMED_OUTPUT_PATTERN.test(detail)) return { code: 'model_answer_malformed', retryable: true };
  }
  if (REFUSED_PATTERN.test(detail)) return { code: 'model_request_refused', retryable: false };
  if (status === 401 || status === 403 || (status === undefined && hasCodeIn(UNAUTHORIZED_CODES)))
    return { code: 'model_unauthorized', retryable: false };
  if (status === 429 || status === 402 || (status === undefined && hasCodeIn(RATE_LIMIT_CODES)))
    return { code: 'model_rate_limited', retryable: status !== 402 };
  if (status === 408 || status === 409 || status === 425 || status === 498 || (status !== undefined && status >= 500))
    return { code: 'model_unavailable', retryable: true };
  if (status !== undefined || hasCodeIn(REFUSED_CODES)) return { code: 'model_request_refused', retryable: false };
  return { code: 'model_unavailable', retryable: true };
}

const MAX_DETAIL_CHARACTERS = 500;
const MIN_SECRET_CHARACTERS = 6;

function describeDetail({ reported: { detail }, secrets }: ModelHttpFailure): string {
  if (detail === undefined || detail.trim() === '') return '.';
  const redacted = secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), detail.trim().replaceAll('\0', ''));
  return `: ${truncateText(redacted.toWellFormed(), MAX_DETAIL_CHARACTERS)}`;
}

/** An error of a client library for an error response: the members that the libraries of OpenAI and Anthropic share. */
interface ClientError {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly error?: unknown;
  readonly message: string;
}

/**
 * Converts an error thrown by a client library. The original error is not attached as the cause, because it contains
 * the provider's text, which may include the key.
 *
 * @param isHttpError returns whether an error of the library describes a response or an error within a stream
 */
export function toModelError(
  error: unknown,
  call: Pick<ModelHttpFailure, 'provider' | 'host' | 'secrets' | 'now'>,
  isHttpError: (error: unknown) => boolean,
): ModelError {
  const responseError = findInCauseChain(error, (current) => current instanceof ModelResponseError) as
    ModelResponseError | undefined;
  if (responseError !== undefined) return toModelHttpError({ ...call, ...responseError });
  if (isHttpError(error)) {
    const { status, headers, error: errorBody, message } = error as ClientError;
    return toModelHttpError({ ...call, status, headers, reported: parseErrorBody(errorBody ?? message) });
  }
  if (error instanceof SyntaxError)
    return new ModelError(
      'model_answer_malformed',
      `The model provider "${call.provider}" (${call.host}) sent invalid JSON in its response.`,
      true,
    );
  return toUnreachableError(call.provider, call.host, error);
}

/** Returns the error for a connection that failed or broke. Reports only the code of the underlying error. */
function toUnreachableError(provider: string, host: string, error: unknown): ModelError {
  const modelError = findInCauseChain(error, (current) => isModelError(current));
  if (isModelError(modelError)) return modelError;
  const errorWithCode = findInCauseChain(
    error,
    (current) => typeof (current as { code?: unknown }).code === 'string',
  ) as { code: string } | undefined;
  return new ModelError(
    'model_unavailable',
    `The connection to the model provider "${provider}" (${host}) failed before the response was complete${errorWithCode === undefined ? '' : ` (${errorWithCode.code})`}.`,
    true,
  );
}

const MAX_CAUSE_DEPTH = 8;

function findInCauseChain(error: unknown, matches: (current: object) => boolean): unknown {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && typeof current === 'object' && current !== null; depth += 1) {
    if (matches(current)) return current;
    current = (current as { cause?: unknown }).cause;
  }
  return undefined;
}
