import type { AuditEntry } from '@countersign/model';
import { appendAudit } from '../audit/append-audit.js';
import type { Queryable } from '../database/transaction.js';

/** Records a change of an absence, in the transaction of the change and after it. */
export async function recordChange(transaction: Queryable, absenceId: string, audit: AuditEntry): Promise<void> {
  await incrementChangeCount(transaction);
  await appendAudit(transaction, [{ ...audit, target: { ...audit.target, id: absenceId } }]);
}

/** Counts a change of absences, for readers of the change feed. */
export async function incrementChangeCount(transaction: Queryable): Promise<void> {
  await transaction.query({
    name: 'count_absence_change',
    text: 'UPDATE absence_changes SET changes = changes + 1',
    values: [],
  });
}
