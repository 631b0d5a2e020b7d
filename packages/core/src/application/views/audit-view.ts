import type { JsonObject } from '../../domain/json.js';
import type { AuditRecord } from '../../domain/audit.js';
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
  hash: string;
};

export function auditEventView(record: AuditRecord): AuditEventView {
  const { auditId, at, actor, action, target, result, from, data, hash } = record;
  return {
    auditId,
    at: timestamp(at),
    actor: actor?.id ?? null,
    action,
    target: targetOf(target),
    result,
    from,
    data,
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
    private: { actor: actor === null ? null : { ...actor }, from, data },
    salt,
    commitment,
    previousHash,
    hash,
  };
}

function targetOf(target: JsonObject): Target | null {
  const { type, id } = target;
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : null;
}
