import type { Announcement, PendingAnnouncements, StoragePort } from '@countersign/core/ports';
import type { Queryable } from '../database/transaction.js';

// Statements that write several announcements do so in the order of their runs, so that they do not deadlock.

/** Precedes the ids of all runs. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

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
    text: `DELETE FROM announcements WHERE run_id IN (
             SELECT a.run_id FROM announcements a JOIN unnest($1::uuid[], $2::int8[]) AS n (run_id, revision)
               ON a.run_id = n.run_id AND a.revision <= n.revision
             ORDER BY a.run_id FOR UPDATE OF a
           )`,
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

/** Adds announcements of runs that have none. */
export async function addAnnouncements(database: Queryable, engine: string, runIds: readonly string[]): Promise<void> {
  await database.query({
    name: 'add_announcements',
    text: `INSERT INTO announcements (run_id, engine, revision, available_at)
           SELECT run_id, engine, revision, now() FROM runs WHERE run_id = ANY($1::uuid[]) AND engine = $2
           ORDER BY run_id ON CONFLICT DO NOTHING`,
    values: [runIds, engine],
  });
}

/** Lists runs of an external engine with open jobs or timers, in the order of their ids. */
export async function listRunsWithOpenWork(
  database: Queryable,
  { engine, minAgeMs, after, limit }: Parameters<StoragePort['listRunsWithOpenWork']>[0],
): Promise<{ runIds: string[]; last: string | null }> {
  // Only jobs and timers of external engines are available or due at `infinity`. Each part reads one page of a small
  // index, however many runs there are.
  const select = (table: 'jobs' | 'timers', time: string): string =>
    `(SELECT DISTINCT run_id FROM ${table} WHERE ${time} = 'infinity' AND run_id > $3 ORDER BY run_id LIMIT $4)`;
  const { rows } = await database.query({
    name: 'list_runs_with_open_work',
    text: `
      WITH page AS (
        ${select('jobs', 'available_at')} UNION ${select('timers', 'due_at')} ORDER BY run_id LIMIT $4
      )
      SELECT run_id, r.engine = $1 AND r.updated_at < now() - make_interval(secs => $2::float8 / 1000) AS is_listed
      FROM page JOIN runs r USING (run_id) ORDER BY run_id`,
    values: [engine, minAgeMs, after ?? NIL_UUID, limit],
  });
  return {
    runIds: rows.flatMap((row) => (row['is_listed'] === true ? [String(row['run_id'])] : [])),
    last: rows.length < limit ? null : String(rows.at(-1)?.['run_id']),
  };
}
