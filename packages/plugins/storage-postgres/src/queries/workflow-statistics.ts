import type { Knex } from 'knex';
import type {
  ElementCounts,
  RunCounts,
  StatisticsFilter,
  StatisticsLimits,
  StatisticsRecord,
} from '@countersign/core/ports';
import { CALLING, CALLING_RUN_STATUS } from './child-runs.js';
import { readPage, type PageQuery } from './read-page.js';
import { buildRunQuery } from './run-queries.js';

/** Maximum number of scan windows that are searched for runs of a version. */
const MAX_WINDOWS = 5;

/** SQLSTATE `query_canceled` of PostgreSQL, for example after a statement timeout. */
const QUERY_CANCELED = '57014';

interface PickedRun {
  readonly run_id: string;
  readonly started_at: number;
  readonly counted_as: Exclude<keyof RunCounts, 'total'>;
}

/**
 * Computes the statistics of a workflow from its newest runs and their events, within the limits. Returns `undefined`
 * if counting the elements exceeds the timeout.
 */
export async function computeWorkflowStatistics(
  knex: Knex,
  filter: StatisticsFilter,
  limits: StatisticsLimits,
  timeoutMs: number,
): Promise<StatisticsRecord | undefined> {
  const { runs, isComplete } = await pickRuns(knex, filter, limits.runs);
  const countedElements = await countElements(
    knex,
    runs.map((run) => run.run_id),
    limits.events,
    timeoutMs,
  );
  if (countedElements === undefined) return undefined;
  const countedRuns = runs.slice(0, countedElements.runs_read);
  return {
    runs: countRuns(countedRuns),
    elements: countedElements.elements,
    complete: isComplete && countedRuns.length === runs.length,
    oldestStartedAt: countedRuns.length === 0 ? null : Math.min(...countedRuns.map((run) => run.started_at)),
  };
}

async function pickRuns(
  knex: Knex,
  { version, ...rest }: StatisticsFilter,
  limit: number,
): Promise<{ runs: PickedRun[]; isComplete: boolean }> {
  const query: PageQuery = {
    ...buildRunQuery({ ...rest, ...(version === undefined ? {} : { workflowVersion: version }) }),
    columns: ['run_id', 'started_at', 'outcome', 'status', 'filed_under', 'waiting_for'],
    extra: {
      column: `COALESCE(outcome, CASE filed_under WHEN '${CALLING}' THEN ${CALLING_RUN_STATUS} ELSE filed_under END) AS counted_as`,
      join: '',
    },
  };
  const runs: PickedRun[] = [];
  let cursor: string | null = null;
  for (let window = 0; window < MAX_WINDOWS && runs.length < limit; window += 1) {
    const page = await readPage(knex, query, { limit: limit - runs.length, ...(cursor === null ? {} : { cursor }) });
    runs.push(...(page.rows as unknown as PickedRun[]));
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return { runs, isComplete: cursor === null };
}

function countRuns(runs: readonly PickedRun[]): RunCounts {
  const counts = { total: runs.length, active: 0, blocked: 0, completed: 0, failed: 0, cancelled: 0, rejected: 0 };
  for (const { counted_as } of runs) counts[counted_as] += 1;
  return counts;
}

/**
 * Counts elements. The runs are read in order. If the LIMIT is reached, the last run read is incomplete and is not
 * counted (unless it is the only one).
 *
 * The status of a step follows from the last event that changed it, as in the details of a run.
 */
export const COUNT_ELEMENTS = `
  WITH read AS MATERIALIZED (
    SELECT e.run_id, picked.position, e.seq, e.at, e.type, e.step_id, e.element_id,
           CASE WHEN e.type IN ('step.started', 'step.completed', 'step.failed') THEN e.data ->> 'type' END AS step_type,
           CASE WHEN e.type = 'approval.resolved' THEN e.data ->> 'status' END AS resolution
    FROM unnest(:runs::uuid[]) WITH ORDINALITY AS picked(run_id, position)
    CROSS JOIN LATERAL (SELECT * FROM run_events WHERE run_id = picked.run_id ORDER BY seq OFFSET 0) AS e
    LIMIT :most + 1
  ),
  reached AS (SELECT CASE WHEN count(*) <= :most THEN cardinality(:runs::uuid[]) ELSE greatest(max(position) - 1, 1) END AS runs_read FROM read),
  counted AS (SELECT read.* FROM read, reached WHERE position <= runs_read),
  step AS (
    SELECT run_id, step_id, min(at) AS started_at, max(at) FILTER (WHERE type = 'step.completed') AS completed_at,
      (array_agg(element_id ORDER BY seq DESC))[1] AS element_id,
      (array_agg(type ORDER BY seq DESC))[1] AS last_type,
      (array_agg(step_type ORDER BY seq) FILTER (WHERE step_type IS NOT NULL))[1] AS step_type
    FROM counted
    WHERE type IN ('step.started', 'step.completed', 'step.failed', 'step.cancelled', 'step.retried', 'step.attempt_failed', 'step.migrated')
    GROUP BY run_id, step_id
  ),
  known AS MATERIALIZED (
    SELECT element_id, started_at, completed_at,
      CASE last_type
        WHEN 'step.completed' THEN 'completed' WHEN 'step.cancelled' THEN 'cancelled' WHEN 'step.failed' THEN 'failed'
        ELSE CASE WHEN step_type IN ('userTask', 'receiveTask', 'intermediateCatchEvent', 'eventBasedGateway') OR EXISTS (
          SELECT FROM runs, jsonb_array_elements(runs.waiting_for) AS wait
          WHERE runs.run_id = step.run_id AND wait ->> 'stepId' = step.step_id::text AND wait ->> 'kind' IN ('approval', 'question')
        ) THEN 'waiting' ELSE 'active' END
      END AS status
    FROM step
  ),
  by_step AS (
    SELECT element_id, count(*)::int AS entered,
      count(*) FILTER (WHERE status = 'active')::int AS active,
      count(*) FILTER (WHERE status = 'waiting')::int AS waiting,
      count(*) FILTER (WHERE status = 'completed')::int AS completed,
      count(*) FILTER (WHERE status = 'failed')::int AS failed,
      count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
      percentile_cont(ARRAY[0.5, 0.95, 1]) WITHIN GROUP (ORDER BY (extract(epoch FROM completed_at - started_at) * 1000)::float8)
        FILTER (WHERE status = 'completed') AS durations
    FROM known GROUP BY element_id
  ),
  by_approval AS (
    SELECT element_id,
      count(*) FILTER (WHERE type = 'approval.requested')::int AS requested,
      count(*) FILTER (WHERE resolution = 'approved')::int AS approved,
      count(*) FILTER (WHERE resolution = 'rejected')::int AS rejected,
      count(*) FILTER (WHERE resolution = 'changes_requested')::int AS changes_requested,
      count(*) FILTER (WHERE type = 'approval.withdrawn')::int AS withdrawn,
      count(*) FILTER (WHERE type = 'approval.expired')::int AS expired
    FROM counted WHERE type IN ('approval.requested', 'approval.resolved', 'approval.withdrawn', 'approval.expired') GROUP BY element_id
  )
  SELECT (SELECT runs_read FROM reached)::int AS runs_read, COALESCE(jsonb_agg(jsonb_build_object(
    'elementId', element_id, 'entered', COALESCE(entered, 0), 'active', COALESCE(active, 0), 'waiting', COALESCE(waiting, 0),
    'completed', COALESCE(completed, 0), 'failed', COALESCE(failed, 0), 'cancelled', COALESCE(cancelled, 0),
    'durationMs', jsonb_build_object('median', durations[1], 'p95', durations[2], 'max', durations[3]),
    'approvals', CASE WHEN requested IS NOT NULL THEN jsonb_build_object(
      'requested', requested, 'approved', approved, 'rejected', rejected,
      'changesRequested', changes_requested, 'withdrawn', withdrawn, 'expired', expired) END
  ) ORDER BY element_id COLLATE "C"), '[]') AS elements
  FROM by_step FULL JOIN by_approval USING (element_id)`;

interface CountedElements {
  readonly runs_read: number;
  readonly elements: readonly ElementCounts[];
}

async function countElements(
  knex: Knex,
  runs: readonly string[],
  maxEvents: number,
  timeoutMs: number,
): Promise<CountedElements | undefined> {
  if (runs.length === 0) return { runs_read: 0, elements: [] };
  try {
    return await knex.transaction(
      async (transaction) => {
        await transaction.raw(`SET LOCAL statement_timeout = ${Math.max(1, Math.round(timeoutMs))}`);
        const { rows } = await transaction.raw<{ rows: CountedElements[] }>(COUNT_ELEMENTS, { runs, most: maxEvents });
        return rows[0];
      },
      { readOnly: true },
    );
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return undefined;
    throw error;
  }
}
