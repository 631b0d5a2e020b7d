import { randomBytes } from 'node:crypto';
import { type AuditEntry, type AuditRecord, chainAudit } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import { uuidV7 } from '../uuid-v7.js';

/**
 * Appends to the audit chain of the server within a transaction. The head stays locked until the transaction ends, so
 * the chain never forks.
 */
export async function appendAudit(transaction: Queryable, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { rows } = await transaction.query({
    name: 'lock_audit_chain',
    text: 'SELECT seq, hash FROM audit_chain_head WHERE id = 1 FOR UPDATE',
    values: [],
  });
  const [head] = rows;
  if (head === undefined) throw new Error('The head of the audit chain is missing.');
  const records = chainAudit(null, Number(head['seq']), String(head['hash']), entries, uuidV7, () =>
    randomBytes(16).toString('hex'),
  );
  await transaction.query({
    name: 'append_audit',
    text: `WITH input AS (
             SELECT * FROM json_to_recordset($1::json) AS x(
               i uuid, s int, a timestamptz, ai text, ac jsonb, n text, t jsonb, re text, f text, d jsonb, sa text, c text, ph text, h text)
           ), appended AS (
             INSERT INTO audit_events
               (audit_id, seq, at, actor_id, actor, action, target, result, "from", data, salt, commitment, previous_hash, hash)
             SELECT i, s, a, ai, ac, n, t, re, f, d, sa, c, ph, h FROM input
           )
           UPDATE audit_chain_head SET seq = $2, hash = $3 WHERE id = 1`,
    values: [JSON.stringify(records.map(toRow)), records.at(-1)?.seq, records.at(-1)?.hash],
  });
}

function toRow(record: AuditRecord): object {
  return {
    i: record.auditId,
    s: record.seq,
    a: new Date(record.at).toISOString(),
    ai: record.actor?.id ?? null,
    ac: record.actor,
    n: record.action,
    t: record.target,
    re: record.result,
    f: record.from,
    d: record.data,
    sa: record.salt,
    c: record.commitment,
    ph: record.previousHash,
    h: record.hash,
  };
}
