import { ApiError } from '@countersign/core/plugin';
import type { CorrelateMessageRequest } from '@countersign/core/ports';
import { findInputProblem, MAX_NAME_LENGTH } from '@countersign/model';
import { MAX_BUFFER_MS } from './buffer-times.js';

/** Refuses a message that cannot be stored, because the database would refuse it on every attempt. */
export function checkMessage({
  messageName,
  correlationKey,
  payload,
  bufferForMs = 0,
}: Pick<CorrelateMessageRequest, 'messageName' | 'correlationKey' | 'payload' | 'bufferForMs'>): void {
  const problem = findInputProblem({ messageName, correlationKey, payload });
  if (problem !== undefined)
    throw new ApiError('invalid_message', `${problem.pointer} of the message: ${problem.message}`);
  if (messageName === '') throw new ApiError('invalid_message', 'A message needs a name.');
  if (messageName.length > MAX_NAME_LENGTH || correlationKey.length > MAX_NAME_LENGTH) {
    throw new ApiError(
      'invalid_message',
      `The name and the correlation key of a message may have at most ${MAX_NAME_LENGTH} characters.`,
    );
  }
  if (!Number.isSafeInteger(bufferForMs) || bufferForMs < 0 || bufferForMs > MAX_BUFFER_MS) {
    throw new ApiError('invalid_message', 'A message can be buffered for 0 ms to ten years.');
  }
}
