import {
  ERROR_CODES,
  isErrorCode,
  problemType,
  type ErrorCode,
  type ErrorCodeInfo,
  type FieldError,
  type Problem,
} from '@countersign/contract';
import { ApiError, isApiError } from '@countersign/core';
import { type ApiErrorCode, isModelRefusedError } from '@countersign/model';
import { isDatabaseUnavailable } from './is-database-unavailable.js';

/** The request in which a problem occurred. */
export interface ProblemContext {
  readonly instance: string;
  readonly traceId: string;
}

export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
  /** Whether the error was unexpected, so that its cause must be logged. */
  readonly unexpected: boolean;
}

const RESERVED_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'status',
  'detail',
  'code',
  'instance',
  'traceId',
  'retryable',
  'errors',
  'retryAfter',
  'allow',
]);
const RETRY_AFTER_SECONDS = 5;
const REALM = 'Bearer realm="countersign"';

/** Creates an error for a refusal by the server; `details` contains field errors and the values of headers. */
export function createRefusal(
  code: ErrorCode,
  message: string,
  details: { errors?: FieldError[]; retryAfter?: number; allow?: string } = {},
): ApiError {
  return new ApiError(code, message, { ...details } as ApiError['details']);
}

/** Converts an error to a problem response (RFC 9457). An unexpected error exposes no details. */
export function toProblemResponse(error: unknown, context: ProblemContext): ProblemResponse {
  if (isModelRefusedError(error)) {
    const errors = error.problems.map(({ elementId, code, message, line }) => ({
      pointer: elementId ?? '',
      code,
      message: line === undefined ? message : `${message} (line ${line})`,
    }));
    return buildResponse('model_refused', ERROR_CODES.model_refused, error.message, errors, {}, context, false);
  }
  if (isApiError(error)) {
    const { code, definition, details } = error;
    const info = isErrorCode(code) ? ERROR_CODES[code] : definition;
    if (info !== undefined)
      return buildResponse(
        code,
        info,
        error.message,
        toFieldErrors(details['errors']),
        details,
        context,
        code === 'internal_error',
      );
  }
  if (isDatabaseUnavailable(error))
    return buildResponse(
      'service_unavailable',
      ERROR_CODES.service_unavailable,
      'The database is unavailable. Retry later; a retry with the same Idempotency-Key is safe.',
      [],
      {},
      context,
      false,
    );
  return buildResponse(
    'internal_error',
    ERROR_CODES.internal_error,
    'The server failed unexpectedly. Look up the trace id in its log.',
    [],
    {},
    context,
    true,
  );
}

function buildResponse(
  code: ApiErrorCode,
  { status, title, retryable }: Pick<ErrorCodeInfo, 'status' | 'title' | 'retryable'>,
  detail: string,
  errors: FieldError[],
  details: Readonly<Record<string, unknown>>,
  context: ProblemContext,
  unexpected: boolean,
): ProblemResponse {
  // Details may add members (who voted first, the current digest), but must not replace the standard ones.
  const extraMembers = Object.fromEntries(Object.entries(details).filter(([name]) => !RESERVED_MEMBERS.has(name)));
  const body: Problem = {
    type: problemType(code),
    title,
    status,
    detail,
    code,
    ...context,
    retryable,
    errors,
    ...extraMembers,
  };
  return { status, headers: buildHeaders(status, code, detail, details), body, unexpected };
}

function buildHeaders(
  status: number,
  code: ApiErrorCode,
  detail: string,
  details: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const { retryAfter, allow } = details;
  if (status === 429 || status === 503 || status === 507)
    headers['Retry-After'] = String(typeof retryAfter === 'number' ? retryAfter : RETRY_AFTER_SECONDS);
  if (typeof allow === 'string') headers['Allow'] = allow;
  // RFC 6750, 3: no error code if the request carried no token.
  if (code === 'unauthenticated') headers['WWW-Authenticate'] = REALM;
  if (code === 'invalid_token')
    headers['WWW-Authenticate'] =
      `${REALM}, error="invalid_token", error_description="${sanitizeErrorDescription(detail)}"`;
  // RFC 9110, 11.6.1 requires a scheme in the challenge; the scheme of signed requests is not a registered one.
  if (code === 'invalid_signature') headers['WWW-Authenticate'] = 'HMAC-SHA256 realm="countersign"';
  if (code === 'forbidden') headers['WWW-Authenticate'] = `${REALM}, error="insufficient_scope"`;
  return headers;
}

/** Replaces characters that RFC 6750, 3 does not allow. */
function sanitizeErrorDescription(detail: string): string {
  return detail.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ');
}

function toFieldErrors(value: unknown): FieldError[] {
  return Array.isArray(value) ? (value as FieldError[]) : [];
}
