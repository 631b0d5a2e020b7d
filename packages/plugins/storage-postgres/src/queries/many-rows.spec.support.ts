import pg from 'pg';

/** Number of generated runs and approvals. The newest 20,000 are a waiting backlog. */
export const ROW_COUNT = 100_000;
const BACKLOG_ROW_COUNT = 20_000;

/**
 * SQL expression for the status of run `n`. Rare statuses are spread over all rows, so matches of a filter may be
 * anywhere.
 */
const STATUS = `CASE WHEN n > ${ROW_COUNT - BACKLOG_ROW_COUNT} THEN 'blocked' WHEN n % 1000 = 7 THEN 'active' WHEN n % 100 = 3 THEN 'failed' ELSE 'completed' END`;

/** Returns an SQL expression for the UUIDv7 of row `n`; the ids of consecutive rows are one second apart. */
const idExpression = (kind: number) =>
  `(lpad(to_hex(1750000000000 + n * 1000::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8${kind}' || lpad(to_hex(n), 14, '0'))::uuid`;
const ROW_TIME = `to_timestamp(1750000000 + n)`;

const INSERT_ROWS = `
  INSERT INTO workflow_versions (workflow_id, version, digest, elements, bpmn_xml, deployed_at, deployed_by, newest)
  SELECT 'workflow-' || w, v, 'sha256:' || w || '-' || v, '[]', '<xml/>', to_timestamp(1750000000 + w * 10 + v), 'ada', v = 3
  FROM generate_series(1, 500) w, generate_series(1, 3) v;

  INSERT INTO runs
  SELECT ${idExpression(1)}, 'workflow-' || (1 + n % 500), 1 + n * 3 / ${ROW_COUNT + 1}, 'sha256:x', status,
         CASE status WHEN 'completed' THEN 'completed' WHEN 'failed' THEN (ARRAY[NULL, 'failed', 'cancelled', 'rejected'])[1 + n / 100 % 4] END,
         false, NULL, (status = 'blocked' AND n % 2 = 0)::int, 0, (status = 'failed')::int,
         CASE WHEN status <> 'blocked' THEN '[]' WHEN n % 2 = 0 THEN '[{"kind": "approval"}]' WHEN n % 100 = 1 THEN '[{"kind": "timer"}]' ELSE '[{"kind": "event"}]' END::jsonb,
         CASE WHEN n % 5000 = 11 THEN 'critical' WHEN n % 50 = 2 THEN 'high' WHEN n % 5 = 1 THEN 'medium' ELSE 'low' END,
         NULL, ${ROW_TIME}, 'user-' || n % 1000, ${ROW_TIME} + interval '10 seconds', NULL, 'key-' || n % 20000, NULL, 4,
         json_build_object('variables', repeat('x', 800)), '', 1, ''
  FROM (SELECT n, ${STATUS} AS status FROM generate_series(1, ${ROW_COUNT}) n) s;

  INSERT INTO approvals
    (approval_id, run_id, workflow_id, workflow_version, step_id, element_id, title, description, status, round, requested_at,
     requested_by, due_at, candidate_users, candidate_groups, delegations, quorum, priority, separation_of_duties, excluded,
     risk_level, risk_factors, rationale, subject, digest)
  SELECT ${idExpression(2)}, ${idExpression(1)}, 'workflow-' || (1 + n % 500), 1, ${idExpression(3)}, 'approve', 'Approve ' || n, NULL,
         CASE WHEN n > ${ROW_COUNT - BACKLOG_ROW_COUNT} OR n % 100 = 3 THEN 'pending' WHEN n % 10 = 1 THEN 'rejected' ELSE 'approved' END, 1, ${ROW_TIME},
         'user-' || n % 1000, CASE WHEN n % 3 = 0 THEN ${ROW_TIME} + (n % 1000) * interval '1 minute' END,
         jsonb_build_array('user-' || n % 100), '["approvers"]', '[]', 1, 50, 'on', '{}',
         CASE WHEN n % 5000 = 11 THEN 'critical' WHEN n % 50 = 2 THEN 'high' WHEN n % 5 = 1 THEN 'medium' ELSE 'low' END,
         '[]', '', '{}', ''
  FROM generate_series(1, ${ROW_COUNT}) n;

  INSERT INTO votes (vote_id, approval_id, run_id, decision, voted_by, voted_at, digest)
  SELECT ${idExpression(7)}, ${idExpression(2)}, ${idExpression(1)}, 'approve', 'user-' || n % 7, ${ROW_TIME}, '' FROM generate_series(1, ${ROW_COUNT} - ${BACKLOG_ROW_COUNT}) n WHERE n % 100 <> 3;

  INSERT INTO run_events (run_id, seq, at, type, data, hash)
  SELECT ${idExpression(1)}, 1, ${ROW_TIME}, 'run.started', '{}', '' FROM generate_series(1, ${ROW_COUNT}) n;

  INSERT INTO run_events (run_id, seq, at, type, step_id, element_id, data, hash)
  SELECT ${idExpression(1)}, 2, ${ROW_TIME}, 'step.started', ${idExpression(3)}, 'build',
         jsonb_build_object('policyDecision', jsonb_build_object(
           'decision', CASE WHEN n % 1000 = 5 THEN 'deny' WHEN n % 50 = 7 THEN 'require_approval' ELSE 'allow' END,
           'riskLevel', CASE WHEN n % 5000 = 11 THEN 'critical' ELSE 'low' END, 'policyDigest', 'sha256:' || n / 50000)), ''
  FROM generate_series(1, ${ROW_COUNT}) n;

  INSERT INTO audit_events (audit_id, run_id, seq, at, actor_id, actor, action, target, result, data, commitment, previous_hash, hash)
  SELECT ${idExpression(4)}, ${idExpression(1)}, 1, ${ROW_TIME}, 'user-' || n % 1000, '{}', 'run.start', '{}', 'ok', '{}', '', '', '' FROM generate_series(1, ${ROW_COUNT}) n;

  INSERT INTO questions (question_id, run_id, workflow_id, step_id, element_id, agent_name, purpose, text, asked_at, on_due, status)
  SELECT ${idExpression(6)}, ${idExpression(1)}, 'workflow-' || (1 + n % 500), ${idExpression(3)}, 'ask', 'agent', 'ask', 'Which?', ${ROW_TIME}, '{}',
         CASE WHEN n > ${ROW_COUNT - BACKLOG_ROW_COUNT} OR n % 100 = 3 THEN 'pending' WHEN n % 1000 = 1 THEN 'expired' ELSE 'answered' END
  FROM generate_series(1, ${ROW_COUNT}) n;

  INSERT INTO inbound_events (event_id, via, source, idempotency_key, body_digest, message_name, correlation_key, status, received_at, repeated)
  SELECT ${idExpression(5)}, CASE WHEN n % 10 = 0 THEN 'event-ingress' ELSE 'codehost' END, 'source-' || n % 20, 'key-' || n, 'digest', 'message-' || n % 50, 'k',
         CASE WHEN n > ${ROW_COUNT - BACKLOG_ROW_COUNT} THEN 'unmatched' WHEN n % 1000 = 7 THEN 'buffered' WHEN n % 100 = 3 THEN 'expired' ELSE 'matched' END, ${ROW_TIME}, n % 500 = 9
  FROM generate_series(1, ${ROW_COUNT}) n;
`;

const TABLES = [
  'runs',
  'approvals',
  'votes',
  'run_events',
  'audit_events',
  'workflow_versions',
  'inbound_events',
  'questions',
];

export async function fillWithManyRows(client: Pick<pg.Client, 'query'>): Promise<void> {
  // An autovacuum would prevent dropping the database, because only a superuser may stop it.
  for (const table of TABLES) await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  await client.query(INSERT_ROWS);
  await client.query(`VACUUM (ANALYZE) ${TABLES.join(', ')}`);
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Plans'?: readonly PlanNode[];
}

export interface Plan {
  /** Indexes and tables that were read. Parts of the plan that were never executed are omitted. */
  readonly scans: readonly string[];
  /** Number of rows that the scans read, including rows that a filter removed. */
  readonly rowsRead: number;
  /** Number of recursions that were started. */
  readonly recursions: number;
}

/** Executes a statement and returns its actual plan, not the estimated one. */
export async function explain(
  client: Pick<pg.Client, 'query'>,
  sql: string,
  values: readonly unknown[],
): Promise<Plan> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
    [...values],
  );
  const scans: string[] = [];
  let rowsRead = 0;
  let recursions = 0;
  for (const row of rows) visit(row['QUERY PLAN'][0].Plan);
  return { scans, rowsRead, recursions };

  function visit(node: PlanNode): void {
    if (node['Actual Loops'] === 0) return;
    if (node['Node Type'] === 'Recursive Union') recursions += node['Actual Loops'];
    if (node['Node Type'].includes('Scan') && (node['Index Name'] ?? node['Relation Name']) !== undefined) {
      scans.push(node['Index Name'] ?? `all of ${node['Relation Name'] ?? ''}`);
      rowsRead += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    }
    node.Plans?.forEach(visit);
  }
}

/**
 * Executes a statement like {@link explain}, but with the generic plan that a prepared statement uses for all values.
 */
export async function explainGeneric(
  client: Pick<pg.Client, 'query'>,
  sql: string,
  values: readonly unknown[],
): Promise<Plan> {
  const literals = values.map((value) =>
    Array.isArray(value) ? `'{${value.map((item) => JSON.stringify(item)).join(',')}}'` : literal(value),
  );
  await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE kept AS ${sql}`);
  try {
    return await explain(client, `EXECUTE kept${literals.length === 0 ? '' : `(${literals.join(', ')})`}`, []);
  } finally {
    await client.query('RESET plan_cache_mode; DEALLOCATE kept');
  }
}

function literal(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}
