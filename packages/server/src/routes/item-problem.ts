import type { Problem } from '@countersign/contract';
import { toProblemResponse } from '../app/problem.js';
import type { Services } from '../app/services.js';

/**
 * Returns the problem document of one item in a bulk request, in the form that a separate request would return. Logs
 * unexpected errors.
 */
export function toItemProblem({ log }: Services, error: unknown, instance: string, traceId: string | null): Problem {
  const { body, unexpected } = toProblemResponse(error, { instance, traceId: traceId ?? '' });
  if (unexpected) log.error({ err: error, traceId, instance }, 'an item of a bulk request failed');
  return body;
}
