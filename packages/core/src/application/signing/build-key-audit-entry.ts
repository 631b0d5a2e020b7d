import { type AuditEntry, toRecordedActor } from '@countersign/model';
import type { Caller } from '../caller.js';

/**
 * Creates the audit entry of an action on a signing key.
 *
 * @param at milliseconds since the epoch
 */
export function buildKeyAuditEntry(
  { actor, from, traceId }: Caller,
  action: string,
  keyId: string,
  at: number,
): AuditEntry {
  return {
    at,
    actor: toRecordedActor(actor),
    action,
    target: { type: 'signing_key', id: keyId },
    result: 'ok',
    from,
    data: { traceId },
  };
}
