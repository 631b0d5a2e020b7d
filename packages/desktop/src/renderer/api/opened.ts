import { ConnectionError, ProblemError } from '@countersign/contract';
import { texts } from '../app/texts.js';
import type { OperationResult } from '../../common/operation-result.js';

/** Returns the value of an operation result, or throws the errors of the contract's client. */
export function opened<T>(answer: OperationResult<T>): T {
  if (answer.ok) return answer.value;
  if (answer.kind === 'problem') throw new ProblemError(answer.problem, answer.retryAfterMs ?? undefined);
  if (answer.kind === 'connection') throw new ConnectionError(undefined, answer.peer);
  // To the inbox, a difference from the displayed approval is the server's error `stale_digest`.
  const code = answer.code === 'not_as_shown' ? 'stale_digest' : answer.code;
  throw new ProblemError({
    type: 'about:blank',
    title: texts.notDone,
    status: 409,
    detail: answer.message,
    code,
    instance: null,
    traceId: '',
    retryable: false,
    errors: [],
  });
}
