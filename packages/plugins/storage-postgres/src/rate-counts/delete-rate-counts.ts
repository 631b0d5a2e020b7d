import type { Queryable } from '../database/transaction.js';

/** Deletes counters that have not been increased for longer than the window of any limit. */
export async function deleteRateCounts(database: Queryable): Promise<void> {
  await database.query({
    text: "DELETE FROM rate_counts WHERE counted_at < now() - interval '10 minutes'",
    values: [],
  });
}
