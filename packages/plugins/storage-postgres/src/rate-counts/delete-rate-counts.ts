import type { Queryable } from '../database/transaction.js';

/** Deletes counters without additions for longer than any limit looks back. */
export async function deleteRateCounts(database: Queryable): Promise<void> {
  await database.query({
    text: "DELETE FROM rate_counts WHERE counted_at < now() - interval '10 minutes'",
    values: [],
  });
}
