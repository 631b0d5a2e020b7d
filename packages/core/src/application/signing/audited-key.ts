import { type AuditEntry, recordedActor } from '@countersign/model';
import type { Caller } from '../caller.js';

/** The audit entry of something that was done to a signing key. @param at in milliseconds since the epoch */
export function auditedKey({ actor, from, traceId }: Caller, action: string, keyId: string, at: number): AuditEntry {
  return {
    at,
    actor: recordedActor(actor),
    action,
    target: { type: 'signing_key', id: keyId },
    result: 'ok',
    from,
    data: { traceId },
  };
}
