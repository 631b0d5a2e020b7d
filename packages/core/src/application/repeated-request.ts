import { ApiError, isApiError } from '@countersign/model';
import type { CommandResponse, RequestContext } from '../ports/engine.js';
import type { IdempotencyKey, StoragePort, StoredResponse } from '../ports/storage.js';
import { withResponseType } from './views/to-json-response.js';

/**
 * Executes a command with checks that may refuse it. If it is refused, but the request repeats a recorded one, returns
 * the recorded response: a check may refuse now what it accepted then. The response is looked up only after a refusal,
 * because nearly all requests are new.
 *
 * @throws {ApiError} what `execute` throws; for a repeat `idempotency_key_reused`, `response_erased`
 */
export async function executeUnlessRepeated<Response extends object>(
  storage: Pick<StoragePort, 'findStoredResponses'>,
  { idempotency }: Pick<RequestContext, 'idempotency'>,
  execute: () => Promise<CommandResponse<Response>>,
): Promise<CommandResponse<Response>> {
  try {
    return await execute();
  } catch (error) {
    if (!isApiError(error) || idempotency === undefined) throw error;
    const stored = await findStoredResponse(storage, idempotency);
    if (stored === undefined) throw error;
    if (stored.requestDigest !== idempotency.requestDigest)
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another request. Use a new one.',
        {},
        { cause: error },
      );
    return withResponseType(Promise.resolve({ response: stored.response, replayed: true }));
  }
}

/** Returns the recorded response of an earlier request with the same key. */
export async function findStoredResponse(
  storage: Pick<StoragePort, 'findStoredResponses'>,
  { scope, key }: IdempotencyKey,
): Promise<StoredResponse | undefined> {
  const [stored] = await storage.findStoredResponses([{ scope, key }]);
  return stored;
}
