import type { Queryable } from '../database/transaction.js';
import { minUuid } from '../uuid-v7.js';

/**
 * Number of rows that are deleted per statement. It is small, so that a transaction that needs one of the rows waits
 * only milliseconds.
 */
const BATCH_SIZE = 2_000;

/**
 * Deletes events that were received before a time (ms since the epoch), except buffered events.
 *
 * @returns the number of deleted events
 */
export async function deleteOldEvents(database: Queryable, before: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rows } = await database.query({
      name: 'delete_old_events',
      text: `WITH old AS (
               SELECT event_id FROM inbound_events WHERE event_id < $1 AND status <> 'buffered'
               ORDER BY event_id LIMIT $2 FOR UPDATE SKIP LOCKED
             ), deleted AS (
               DELETE FROM inbound_events WHERE event_id = ANY(ARRAY(SELECT event_id FROM old)) RETURNING 1
             )
             SELECT count(*)::int AS count FROM deleted`,
      values: [minUuid(before), BATCH_SIZE],
    });
    const count = Number(rows[0]?.['count'] ?? 0);
    deleted += count;
    if (count < BATCH_SIZE) return deleted;
  }
}
