import type { AuditEntry, AuditRecord } from '@countersign/model';
import type { Knex } from 'knex';
import type { Queryable } from '../database/transaction.js';
import { toAuditRecord, type AuditEventRow } from '../rows/audit-event-row.js';
import { appendAudit } from './append-audit.js';

/**
 * Erases the private data of entries in the server's audit chain, and records the erasure in the chain. Must run in a
 * transaction.
 */
export async function eraseServerAudit(
  transaction: Queryable,
  positions: readonly number[],
  entry: AuditEntry,
): Promise<void> {
  await transaction.query({
    name: 'erase_server_audit',
    text: `UPDATE audit_events SET actor_id = NULL, actor = NULL, "from" = NULL, data = '{}', salt = NULL
           WHERE run_id IS NULL AND seq = ANY($1::int[])`,
    values: [[...positions]],
  });
  await appendAudit(transaction, [entry]);
}

/** Returns the erasure entries of the server's audit chain after a position, in chain order. */
export async function listServerErasures(knex: Knex, after: number): Promise<AuditRecord[]> {
  const rows = await knex<AuditEventRow>('audit_events')
    .whereNull('run_id')
    .where('action', 'personal_data.erase')
    .where('seq', '>', after)
    .orderBy('seq');
  return rows.map(toAuditRecord);
}
