import { ApiError } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';
import type { PendingCommand } from './pending-command.js';

/**
 * Looks up the idempotency keys of commands that may be repeats, and responds to the repeats: with the stored
 * response, or with `idempotency_key_reused` if the key was used with another request.
 *
 * @returns the other commands
 */
export async function respondToRepeatedRequests(
  storage: Pick<StoragePort, 'findStoredResponses'>,
  batch: readonly PendingCommand[],
): Promise<readonly PendingCommand[]> {
  const suspects = batch.filter(({ keyState, context }) => keyState === 'suspect' && context.idempotency !== undefined);
  if (suspects.length === 0) return batch;
  const storedResponses = await storage.findStoredResponses(
    suspects.flatMap(({ context }) => context.idempotency ?? []),
  );
  const responded = new Set<PendingCommand>();
  for (const [index, pending] of suspects.entries()) {
    const storedResponse = storedResponses[index];
    if (storedResponse === undefined) {
      pending.keyState = 'new';
      continue;
    }
    responded.add(pending);
    if (storedResponse.requestDigest === pending.context.idempotency?.requestDigest)
      pending.resolve({ response: storedResponse.response, replayed: true, outcome: null });
    else
      pending.reject(
        new ApiError('idempotency_key_reused', 'This Idempotency-Key was used with another request. Use a new one.'),
      );
  }
  return batch.filter((pending) => !responded.has(pending));
}
