import type { AuditEntry } from '@countersign/model';
import { appendAudit } from '../audit/append-audit.js';
import type { Queryable } from '../database/transaction.js';

/** For those who follow the change feed, and for the audit trail. Within the transaction of the change, after it. */
export async function recordChange(transaction: Queryable, absenceId: string, audit: AuditEntry): Promise<void> {
  await transaction.query({
    name: 'count_absence_change',
    text: 'UPDATE absence_changes SET changes = changes + 1',
    values: [],
  });
  await appendAudit(transaction, [{ ...audit, target: { ...audit.target, id: absenceId } }]);
}
