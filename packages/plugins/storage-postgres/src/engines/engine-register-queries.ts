import type { EngineCount, StoragePort } from '@countersign/core/ports';
import { appendAudit } from '../audit/append-audit.js';
import type { Queryable } from '../database/transaction.js';
import { isStorableText } from '../queries/storable.js';

/** Records that a server is running now. Also deletes servers that ended long ago without removing themselves. */
export async function recordServer(
  database: Queryable,
  { serverId, engine }: Parameters<StoragePort['recordServer']>[0],
): Promise<void> {
  await database.query({
    name: 'record_server',
    text: `WITH old AS (DELETE FROM servers WHERE seen_at < now() - interval '1 hour' AND server_id <> $1)
           INSERT INTO servers (server_id, engine) VALUES ($1, $2)
           ON CONFLICT (server_id) DO UPDATE SET engine = excluded.engine, seen_at = excluded.seen_at`,
    values: [serverId, engine],
  });
}

export async function removeServer(database: Queryable, serverId: string): Promise<void> {
  await database.query({
    name: 'remove_server',
    text: 'DELETE FROM servers WHERE server_id = $1',
    values: [serverId],
  });
}

export async function countServers(database: Queryable, maxAgeMs: number): Promise<EngineCount[]> {
  const { rows } = await database.query({
    name: 'count_servers',
    text: `SELECT engine, count(*)::int AS count FROM servers
           WHERE seen_at >= now() - make_interval(secs => $1::float8 / 1000) GROUP BY engine ORDER BY engine COLLATE "C"`,
    values: [maxAgeMs],
  });
  return rows.map(toEngineCount);
}

export async function findEngineOfWorkflow(database: Queryable, workflowId: string): Promise<string | null> {
  if (!isStorableText(workflowId)) return null;
  const { rows } = await database.query({
    name: 'find_engine_of_workflow',
    text: 'SELECT engine FROM engines_of_workflows WHERE workflow_id = $1',
    values: [workflowId],
  });
  return rows[0] === undefined ? null : String(rows[0]['engine']);
}

/** Moves a workflow to an engine, and returns the previous one. Must run in a transaction. */
export async function moveWorkflow(
  transaction: Queryable,
  { workflowId, engine, audit }: Parameters<StoragePort['moveWorkflow']>[0],
): Promise<string | null> {
  // One move of a workflow at a time, so that each is recorded with the engine that the workflow left.
  await transaction.query({
    name: 'lock_engine_of_workflow',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('engine of workflow:' || $1, 0))`,
    values: [workflowId],
  });
  const previous = await findEngineOfWorkflow(transaction, workflowId);
  if (previous === engine) return previous;
  if (engine === null) {
    await transaction.query({
      name: 'undo_move_of_workflow',
      text: 'DELETE FROM engines_of_workflows WHERE workflow_id = $1',
      values: [workflowId],
    });
  } else {
    await transaction.query({
      name: 'move_workflow',
      text: `INSERT INTO engines_of_workflows (workflow_id, engine) VALUES ($1, $2)
             ON CONFLICT (workflow_id) DO UPDATE SET engine = excluded.engine`,
      values: [workflowId, engine],
    });
  }
  await appendAudit(transaction, [{ ...audit, data: { ...audit.data, from: previous, to: engine } }]);
  return previous;
}

export async function findEngineOfRun(database: Queryable, runId: string): Promise<string | undefined> {
  const { rows } = await database.query({
    name: 'find_engine_of_run',
    text: 'SELECT engine FROM runs WHERE run_id = $1',
    values: [runId],
  });
  return rows[0] === undefined ? undefined : String(rows[0]['engine']);
}

export async function countActiveRuns(database: Queryable, workflowId: string): Promise<EngineCount[]> {
  if (!isStorableText(workflowId)) return [];
  const engines = await listEnginesOfActiveRuns(database);
  const { rows } = await database.query({
    name: 'count_active_runs',
    text: `SELECT engine, count(*)::int AS count FROM runs
           WHERE outcome IS NULL AND engine = ANY($2::text[]) AND workflow_id = $1 GROUP BY engine ORDER BY engine COLLATE "C"`,
    values: [workflowId, engines],
  });
  return rows.map(toEngineCount);
}

export async function listEnginesOfActiveRuns(database: Queryable): Promise<string[]> {
  const { rows } = await database.query({
    name: 'list_engines_of_active_runs',
    // Jumps from one engine to the next in the index, so the cost does not depend on the number of runs.
    text: `WITH RECURSIVE found AS (
             (SELECT engine FROM runs WHERE outcome IS NULL ORDER BY engine LIMIT 1)
             UNION ALL
             SELECT (SELECT r.engine FROM runs r WHERE r.outcome IS NULL AND r.engine > found.engine ORDER BY r.engine LIMIT 1)
             FROM found WHERE found.engine IS NOT NULL
           )
           SELECT engine FROM found WHERE engine IS NOT NULL ORDER BY engine COLLATE "C"`,
    values: [],
  });
  return rows.map((row) => String(row['engine']));
}

function toEngineCount(row: Readonly<Record<string, unknown>>): EngineCount {
  return { engine: String(row['engine']), count: Number(row['count']) };
}
