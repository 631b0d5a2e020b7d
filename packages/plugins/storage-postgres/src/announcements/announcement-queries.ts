import type { Announcement, PendingAnnouncements } from '@countersign/core/ports';
import type { Queryable } from '../database/transaction.js';

/** Claims announcements that no server is making, oldest first. */
export async function claimAnnouncements(
  database: Queryable,
  { engine, limit, leaseMs }: { engine: string; limit: number; leaseMs: number },
): Promise<Announcement[]> {
  const { rows } = await database.query({
    name: 'claim_announcements',
    text: `
      WITH chosen AS (
        SELECT run_id FROM announcements WHERE engine = $1 AND available_at <= now()
        ORDER BY available_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )
      UPDATE announcements a SET available_at = now() + make_interval(secs => $3::float8 / 1000)
      FROM chosen WHERE a.run_id = chosen.run_id
      RETURNING a.run_id, a.revision::int8 AS revision`,
    values: [engine, limit, leaseMs],
  });
  return rows.map((row) => ({ runId: String(row['run_id']), revision: Number(row['revision']) }));
}

export async function deleteAnnouncements(
  database: Queryable,
  accepted: readonly Pick<Announcement, 'runId' | 'revision'>[],
): Promise<void> {
  if (accepted.length === 0) return;
  await database.query({
    name: 'delete_announcements',
    text: `DELETE FROM announcements a USING unnest($1::uuid[], $2::int8[]) AS n (run_id, revision)
           WHERE a.run_id = n.run_id AND a.revision <= n.revision`,
    values: [accepted.map(({ runId }) => runId), accepted.map(({ revision }) => revision)],
  });
}

export async function countAnnouncements(database: Queryable, engine: string): Promise<PendingAnnouncements> {
  const { rows } = await database.query({
    name: 'count_announcements',
    text: `SELECT count(*)::int AS count, extract(epoch FROM clock_timestamp() - min(since)) * 1000 AS age
           FROM announcements WHERE engine = $1`,
    values: [engine],
  });
  const [row] = rows;
  return {
    count: Number(row?.['count'] ?? 0),
    oldestAgeMs: row === undefined || row['age'] === null ? null : Math.max(0, Number(row['age'])),
  };
}
