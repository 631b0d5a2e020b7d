import type { AuditRecord, JsonObject } from '@countersign/model';
import { timestamp } from './as-response.js';

type Target = { type: string; id: string };

export type AuditEventView = {
  auditId: string;
  at: string;
  actor: string | null;
  action: string;
  target: Target | null;
  result: 'ok' | 'refused' | 'failed';
  from: string | null;
  data: JsonObject;
  /** Whether actor, origin and details are missing because they were erased. */
  erased: boolean;
  hash: string;
};

/** An audit event as people see it. What proves the names is for evidence. */
export function auditEventView(record: AuditRecord): AuditEventView {
  const { auditId, at, actor, action, target, result, from, hash } = record;
  const { personSalts: _salts, ...data } = record.data;
  return {
    auditId,
    at: timestamp(at),
    actor: actor?.id ?? null,
    action,
    target: targetOf(target),
    result,
    from,
    data,
    erased: record.salt === '',
    hash,
  };
}

/** An audit event with all that its hash covers. */
export type EvidenceAuditEventView = {
  seq: number;
  auditId: string;
  at: string;
  action: string;
  target: Target | null;
  result: 'ok' | 'refused' | 'failed';
  private: JsonObject | null;
  salt: string | null;
  commitment: string | null;
  previousHash: string;
  hash: string;
};

export function evidenceAuditEventView(record: AuditRecord): EvidenceAuditEventView {
  const { seq, auditId, at, actor, action, target, result, from, data, salt, commitment, previousHash, hash } = record;
  return {
    seq,
    auditId,
    at: timestamp(at),
    action,
    // As it was hashed, members that the type does not name included.
    target: target as Target,
    result,
    // Without its salt nothing proves what the private part was, so nothing is shown as if it were proven.
    private: salt === '' ? null : { actor: actor === null ? null : { ...actor }, from, data },
    salt: salt === '' ? null : salt,
    commitment,
    previousHash,
    hash,
  };
}

function targetOf(target: JsonObject): Target | null {
  const { type, id } = target;
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : null;
}
