import { ConnectionError, ProblemError } from '@countersign/contract';
import type { OperationResult } from '../../common/operation-result.js';

/**
 * Waits for an operation and returns its value, `ProblemError` or `ConnectionError` as a serializable result. Rethrows
 * other errors.
 */
export async function toOperationResult<T>(operation: Promise<T>): Promise<OperationResult<T>> {
  try {
    return { ok: true, value: await operation };
  } catch (error) {
    if (error instanceof ProblemError)
      return { ok: false, kind: 'problem', problem: error.problem, retryAfterMs: error.retryAfterMs ?? null };
    if (error instanceof ConnectionError) {
      const { peer, message } = error;
      return { ok: false, kind: 'connection', peer, message };
    }
    throw error;
  }
}
