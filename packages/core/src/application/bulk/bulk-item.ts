import type { CommandResponse } from '../../ports/engine.js';
import type { Caller } from '../caller.js';

/** What became of one part of a request about many: its answer, or what was thrown. */
export type ItemResult<View extends object> =
  { readonly ok: true; readonly answer: CommandResponse<View> } | { readonly ok: false; readonly error: unknown };

/**
 * Who asks for one part. A key of their own lets each part be repeated as if it had been asked for alone; no caller can
 * choose one with a space in it, so it is the key of nothing else.
 */
export function callerForItem(caller: Caller, id: string): Caller {
  const { idempotencyKey } = caller;
  return idempotencyKey === undefined ? caller : { ...caller, idempotencyKey: `${idempotencyKey} ${id}` };
}

export async function toItemResult<View extends object>(
  answer: Promise<CommandResponse<View>>,
): Promise<ItemResult<View>> {
  try {
    return { ok: true, answer: await answer };
  } catch (error) {
    return { ok: false, error };
  }
}
