import {
  ERROR_CODES,
  isErrorCode,
  problemType,
  type ErrorCode,
  type FieldError,
  type Problem,
} from '@countersign/contract';
import { CountersignError } from '@countersign/core';

/** Where a problem arose. */
export interface ProblemPlace {
  readonly instance: string;
  readonly traceId: string;
}

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
  /** Nobody foresaw it: its cause belongs into the log. */
  readonly unexpected: boolean;
}

const RESERVED: ReadonlySet<string> = new Set([
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

/** A refusal that the server itself makes, with the headers that belong to it in `details`. */
export function refusal(
  code: ErrorCode,
  message: string,
  details: { errors?: FieldError[]; retryAfter?: number; allow?: string } = {},
): CountersignError {
  return new CountersignError(code, message, { ...details } as CountersignError['details']);
}

/** The one place where errors become answers (RFC 9457). What nobody foresaw tells nothing of itself. */
export function problemOf(error: unknown, place: ProblemPlace): ProblemAnswer {
  if (isModelRefusal(error)) {
    const errors = error.problems.map(({ elementId, code, message, line }) => ({
      pointer: elementId ?? '',
      code,
      message: line === undefined ? message : `${message} (line ${line})`,
    }));
    return answer('model_refused', error.message, errors, {}, place, false);
  }
  if (error instanceof CountersignError && isErrorCode(error.code)) {
    return answer(
      error.code,
      error.message,
      fieldErrorsOf(error.details['errors']),
      error.details,
      place,
      error.code === 'internal_error',
    );
  }
  return answer('internal_error', 'Something went wrong here. The trace id finds it in the log.', [], {}, place, true);
}

function answer(
  code: ErrorCode,
  detail: string,
  errors: FieldError[],
  details: Readonly<Record<string, unknown>>,
  place: ProblemPlace,
  unexpected: boolean,
): ProblemAnswer {
  const { status, title, retryable } = ERROR_CODES[code];
  // A problem may say more (who was faster, which digest holds now), but nothing in place of what it always says.
  const more = Object.fromEntries(Object.entries(details).filter(([name]) => !RESERVED.has(name)));
  const body: Problem = { type: problemType(code), title, status, detail, code, ...place, retryable, errors, ...more };
  return { status, headers: headersOf(status, code, details), body, unexpected };
}

function headersOf(
  status: number,
  code: ErrorCode,
  details: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const { retryAfter, allow } = details;
  if (status === 429 || status === 503)
    headers['Retry-After'] = String(typeof retryAfter === 'number' ? retryAfter : RETRY_AFTER_SECONDS);
  if (typeof allow === 'string') headers['Allow'] = allow;
  // RFC 6750, 3: no error code where no token was given.
  if (code === 'unauthenticated') headers['WWW-Authenticate'] = REALM;
  if (code === 'invalid_token') headers['WWW-Authenticate'] = `${REALM}, error="invalid_token"`;
  // What is signed has a scheme of its own, which no registry knows (RFC 9110, 11.6.1 wants one named all the same).
  if (code === 'invalid_signature') headers['WWW-Authenticate'] = 'HMAC-SHA256 realm="countersign"';
  if (code === 'forbidden') headers['WWW-Authenticate'] = `${REALM}, error="insufficient_scope"`;
  return headers;
}

function fieldErrorsOf(value: unknown): FieldError[] {
  return Array.isArray(value) ? (value as FieldError[]) : [];
}

interface ModelRefusal extends Error {
  readonly problems: readonly { elementId: string | null; code: string; message: string; line?: number }[];
}

function isModelRefusal(error: unknown): error is ModelRefusal {
  return (
    error instanceof Error && error.name === 'ModelRefusedError' && 'problems' in error && Array.isArray(error.problems)
  );
}
