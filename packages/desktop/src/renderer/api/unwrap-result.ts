import { ConnectionError, ProblemError } from '@countersign/contract';
import { texts } from '../app/texts.js';
import type { OperationResult } from '../../common/operation-result.js';

/** Returns the value of an operation result, or throws the errors of the contract's client. */
export function unwrapResult<T>(result: OperationResult<T>): T {
  if (result.ok) return result.value;
  if (result.kind === 'problem') throw new ProblemError(result.problem, result.retryAfterMs ?? undefined);
  if (result.kind === 'connection') throw new ConnectionError(undefined, result.peer);
  // The inbox handles a difference from the displayed approval like the server's error `stale_digest`.
  const code = result.code === 'not_as_shown' ? 'stale_digest' : result.code;
  throw new ProblemError({
    type: 'about:blank',
    title: texts.notDone,
    status: 409,
    detail: result.message,
    code,
    instance: null,
    traceId: '',
    retryable: false,
    errors: [],
  });
}
