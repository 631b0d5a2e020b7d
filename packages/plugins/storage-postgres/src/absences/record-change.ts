import type { AuditEntry } from '@countersign/model';
import { appendAudit } from '../audit/append-audit.js';
import type { Queryable } from '../database/transaction.js';

/** Records a change to an absence. Must be called after the change, in the same transaction. */
export async function recordChange(transaction: Queryable, absenceId: string, audit: AuditEntry): Promise<void> {
  await incrementChangeCount(transaction);
  await appendAudit(transaction, [{ ...audit, target: { ...audit.target, id: absenceId } }]);
}

/** Counts a change to the absences, so that readers of the change feed notice it. */
export async function incrementChangeCount(transaction: Queryable): Promise<void> {
  await transaction.query({
    name: 'count_absence_change',
    text: 'UPDATE absence_changes SET changes = changes + 1',
    values: [],
  });
}
