import { type ErrorCode, problemType } from '@countersign/model';
import type { FieldError, Problem } from '../schemas/problem.js';
import type { FetchResponse } from './fetch-like.js';
import { VALIDATION_FAILED } from './route-calls.js';

/** Thrown for an error response. Callers should distinguish errors by `code`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly problem: Problem,
    /** Delay that the server requests (`Retry-After`), in ms. */
    readonly retryAfterMs?: number,
  ) {
    super(problem.detail ?? problem.title);
  }

  get status(): number {
    return this.problem.status;
  }

  /** A code of the contract or of a plugin, or `unexpected_response` if the response did not come from the service. */
  get code(): ErrorCode | 'unexpected_response' | (string & {}) {
    return this.problem.code;
  }

  get retryable(): boolean {
    return this.problem.retryable;
  }

  get errors(): FieldError[] {
    return this.problem.errors;
  }
}

/**
 * Reads an error from a response that was fetched separately. Creates a problem document if the response has none (such
 * as a proxy's page).
 */
export async function readProblemError(response: FetchResponse): Promise<ProblemError> {
  const text = await response.text().catch(() => '');
  return new ProblemError(parseProblem(text) ?? createUnexpectedResponseProblem(response), parseRetryAfter(response));
}

function parseProblem(text: string): Problem | undefined {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null;
    return typeof value?.code === 'string' && typeof value.status === 'number'
      ? { ...(value as Problem), errors: value.errors ?? [] }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the problem of a response that did not come from the service. */
export function createUnexpectedResponseProblem({ status, headers }: FetchResponse): Problem {
  return {
    type: 'about:blank',
    title: `Unexpected response ${status}`,
    status,
    detail: null,
    code: 'unexpected_response',
    instance: null,
    traceId: headers.get('x-request-id') ?? '',
    retryable: [429, 502, 503, 504].includes(status),
    errors: [],
  };
}

/** Returns the problem of a request that is not sent, because its numbers may have lost precision. */
export function createInexactNumberProblem({ pointer, code, message }: FieldError): Problem {
  return {
    type: problemType('validation_failed'),
    ...VALIDATION_FAILED,
    detail: `At ${pointer}: ${message}`,
    code: 'validation_failed',
    instance: null,
    traceId: '',
    retryable: false,
    errors: [{ pointer, code, message }],
  };
}

/** Reads `Retry-After` (RFC 9110 §10.2.3): seconds, or a date. */
function parseRetryAfter({ headers }: FetchResponse): number | undefined {
  const value = headers.get('retry-after');
  if (value === null || value.trim() === '') {
    return undefined;
  }
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
