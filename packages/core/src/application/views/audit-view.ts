import type { AuditRecord, JsonObject } from '@countersign/model';
import { toTimestamp } from './to-json-response.js';

type AuditTargetView = { type: string; id: string };

export type AuditEventView = {
  auditId: string;
  at: string;
  actor: string | null;
  action: string;
  target: AuditTargetView | null;
  result: 'ok' | 'refused' | 'failed';
  from: string | null;
  data: JsonObject;
  /** Whether actor, origin and details are missing because they were erased. */
  erased: boolean;
  hash: string;
};

/**
 * Builds the view of an audit event for readers. Omits the salts of person digests, which only evidence packs contain.
 */
export function toAuditEventView(record: AuditRecord): AuditEventView {
  const { auditId, at, actor, action, target, result, from, hash } = record;
  const { personSalts: _salts, ...data } = record.data;
  return {
    auditId,
    at: toTimestamp(at),
    actor: actor?.id ?? null,
    action,
    target: toTarget(target),
    result,
    from,
    data,
    erased: record.salt === '',
    hash,
  };
}

/** Audit event with everything that its hash covers. */
export type EvidenceAuditEventView = {
  seq: number;
  auditId: string;
  at: string;
  action: string;
  target: AuditTargetView | null;
  result: 'ok' | 'refused' | 'failed';
  private: JsonObject | null;
  salt: string | null;
  commitment: string | null;
  previousHash: string;
  hash: string;
};

export function toEvidenceAuditEventView(record: AuditRecord): EvidenceAuditEventView {
  const { seq, auditId, at, actor, action, target, result, from, data, salt, commitment, previousHash, hash } = record;
  return {
    seq,
    auditId,
    at: toTimestamp(at),
    action,
    // Unchanged, because the hash covers it, including members that the type does not declare.
    target: target as AuditTargetView,
    result,
    // Without its salt, the private part cannot be verified, so it is omitted.
    private: salt === '' ? null : { actor: actor === null ? null : { ...actor }, from, data },
    salt: salt === '' ? null : salt,
    commitment,
    previousHash,
    hash,
  };
}

function toTarget(target: JsonObject): AuditTargetView | null {
  const { type, id } = target;
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : null;
}
