import type { Queryable } from './database/transaction.js';

/**
 * Number of rows that are deleted per statement. It is small, so that a command that needs one of the rows waits only
 * milliseconds.
 */
const BATCH_SIZE = 2_000;

/**
 * Deletes stored responses that are older than `retentionMs`, by the database clock.
 *
 * @returns the number of deleted responses
 */
export async function deleteOldResponses(database: Queryable, retentionMs: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rows } = await database.query({
      name: 'delete_old_answers',
      text: `WITH old AS (
               SELECT scope, key FROM idempotency_keys WHERE created_at < now() - make_interval(secs => $1::float8 / 1000)
               ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
             ), deleted AS (
               DELETE FROM idempotency_keys k USING old WHERE k.scope = old.scope AND k.key = old.key RETURNING 1
             )
             SELECT count(*)::int AS count FROM deleted`,
      values: [retentionMs, BATCH_SIZE],
    });
    const count = Number(rows[0]?.['count'] ?? 0);
    deleted += count;
    if (count < BATCH_SIZE) return deleted;
  }
}
