import { ProblemError, type Problem } from '@countersign/contract';

/** Creates an error response of a server. */
export function createProblemError(status: number, code: string): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: code,
    status,
    detail: null,
    code,
    instance: null,
    traceId: '',
    retryable: false,
    errors: [],
  } as Problem);
}
