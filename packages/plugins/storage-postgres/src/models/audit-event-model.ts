import type { AuditRecord, JsonObject, RecordedActor } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';

export class AuditEventModel extends BaseModel {
  static override tableName = 'audit_events';
  static override idColumn = 'audit_id';

  declare auditId: string;
  declare runId: string | null;
  declare seq: number;
  declare at: number;
  declare actorId: string | null;
  declare actor: RecordedActor | null;
  declare action: string;
  declare target: JsonObject;
  declare result: AuditRecord['result'];
  declare from: string | null;
  declare data: JsonObject;
  declare salt: string | null;
  declare commitment: string;
  declare previousHash: string;
  declare hash: string;

  toRecord(): AuditRecord {
    return {
      auditId: this.auditId,
      runId: this.runId,
      seq: this.seq,
      at: this.at,
      actor: this.actor,
      action: this.action,
      target: this.target,
      result: this.result,
      from: this.from,
      data: this.data,
      // Empty after an erasure.
      salt: this.salt ?? '',
      commitment: this.commitment,
      previousHash: this.previousHash,
      hash: this.hash,
    };
  }
}
