import type { JsonObject } from '@countersign/core/plugin';
import type { AuditRecord, RecordedActor } from '@countersign/model';

/** Row of `audit_events`. */
export interface AuditEventRow {
  readonly audit_id: string;
  readonly run_id: string | null;
  readonly seq: number;
  readonly at: number;
  readonly actor_id: string | null;
  readonly actor: RecordedActor | null;
  readonly action: string;
  readonly target: JsonObject;
  readonly result: AuditRecord['result'];
  readonly from: string | null;
  readonly data: JsonObject;
  readonly salt: string | null;
  readonly commitment: string;
  readonly previous_hash: string;
  readonly hash: string;
}

export function toAuditRecord(row: AuditEventRow): AuditRecord {
  return {
    auditId: row.audit_id,
    runId: row.run_id,
    seq: row.seq,
    at: row.at,
    actor: row.actor,
    action: row.action,
    target: row.target,
    result: row.result,
    from: row.from,
    data: row.data,
    // Empty after an erasure.
    salt: row.salt ?? '',
    commitment: row.commitment,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}
