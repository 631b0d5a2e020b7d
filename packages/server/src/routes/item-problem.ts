import type { Problem } from '@countersign/contract';
import { problemOf } from '../app/problem.js';
import type { Services } from '../app/services.js';

/** What one part of a request about many would have answered alone. What nobody foresaw goes to the log as well. */
export function itemProblem({ log }: Services, error: unknown, instance: string, traceId: string | null): Problem {
  const { body, unexpected } = problemOf(error, { instance, traceId: traceId ?? '' });
  if (unexpected) log.error({ err: error, traceId, instance }, 'one part of a request failed');
  return body;
}
