import type { CommandResponse } from '../../ports/engine.js';
import type { Caller } from '../caller.js';

/** Result of one item of a bulk request: its response, or the error. */
export type ItemResult<View extends object> =
  | { readonly ok: true; readonly commandResponse: CommandResponse<View> }
  | { readonly ok: false; readonly error: unknown };

/**
 * Returns the caller of one item. The item gets its own idempotency key, so it can be repeated like a single request.
 * The key contains a space, which a caller's key cannot contain, so it is unique.
 */
export function buildItemCaller(caller: Caller, id: string): Caller {
  const { idempotencyKey } = caller;
  return idempotencyKey === undefined ? caller : { ...caller, idempotencyKey: `${idempotencyKey} ${id}` };
}

export async function toItemResult<View extends object>(
  pendingResponse: Promise<CommandResponse<View>>,
): Promise<ItemResult<View>> {
  try {
    return { ok: true, commandResponse: await pendingResponse };
  } catch (error) {
    return { ok: false, error };
  }
}
