import type { AuditEntry, AuditRecord } from '@countersign/model';
import type { Knex } from 'knex';
import type { Queryable } from '../database/transaction.js';
import { auditRecordOf, type AuditEventRow } from '../rows/audit-event-row.js';
import { appendAudit } from './append-audit.js';

/** Takes private parts of the server's chain away, and tells of it there. To be done in a transaction. */
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

/** Entries of the server's chain behind a position that tell of erasures, in its order. */
export async function listServerErasures(knex: Knex, after: number): Promise<AuditRecord[]> {
  const rows = await knex<AuditEventRow>('audit_events')
    .whereNull('run_id')
    .where('action', 'personal_data.erase')
    .where('seq', '>', after)
    .orderBy('seq');
  return rows.map(auditRecordOf);
}
