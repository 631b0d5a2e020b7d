import { condition, type Condition } from './condition.js';

/**
 * What a run counts as that waits for runs that it has called: "a call activity counts as its child run, whose waits show
 * in the parent too" (interface decisions, "Run"). It is put together when it is read, in one snapshot with the rest of
 * the answer: a called run goes on without writing to its caller, so callers are never contended for. What is shown and
 * what filters look for are the same expressions.
 *
 * All SQL here reads a row named `runs`, which may be that of a subquery.
 */

/** As the column `filed_under` has it. */
export const CALLING = 'calling';

/** Called runs that are looked at for one run. Where there are more, it counts as active. */
const MAX_CALLED = 10_000;

/** Waits of called runs that one run shows, the oldest ones. */
const MAX_WAITS = 1_000;

const COLUMNS = [
  'run_id',
  'outcome',
  'status',
  'filed_under',
  'waiting_for',
  'pending_approvals',
  'pending_questions',
  'error',
];

/** Follows the waits of a row for called runs. One that has not begun yet is a row of nulls. */
const follow = (caller: string, path: string): string => `
  SELECT ${COLUMNS.map((column) => `c.${column}`).join(', ')}, ${path} AS path
  FROM ${caller === 'runs' ? '' : `${caller}, `}jsonb_array_elements(${caller}.waiting_for) WITH ORDINALITY AS w(wait, n)
  LEFT JOIN runs AS c ON c.run_id = (w.wait ->> 'childRunId')::uuid
  WHERE ${caller}.filed_under = '${CALLING}' AND w.wait ->> 'childRunId' IS NOT NULL`;

/** `path` orders called runs as their callers call them, each behind its caller. */
const CALLED = `
  WITH RECURSIVE followed AS (${follow('runs', 'ARRAY[w.n]')} UNION ALL ${follow('followed', 'followed.path || w.n')}),
  called AS (SELECT * FROM followed LIMIT ${MAX_CALLED + 1})`;

/** Of called runs: one that has not begun yet, and one whose end its caller has not been told yet, is about to go on. */
const LIVES = 'run_id IS NOT NULL AND outcome IS NULL';

const waitsItself = (row: string): string =>
  `EXISTS (SELECT FROM jsonb_array_elements(${row}.waiting_for) AS own WHERE own ->> 'childRunId' IS NULL)`;

/** The first of active, blocked and failed that holds of the run without its call activities, or of a called run. */
const STATUS = `
  CASE WHEN runs.status = 'active' OR count(*) > ${MAX_CALLED} OR NOT bool_and(${LIVES} AND called.status <> 'active') THEN 'active'
       WHEN ${waitsItself('runs')} OR bool_or(CASE called.filed_under WHEN '${CALLING}' THEN ${waitsItself('called')} ELSE called.status = 'blocked' END) THEN 'blocked'
       ELSE 'failed' END`;

/** The status of a run that is {@link CALLING}. */
export const STATUS_OF_CALLING = `(${CALLED} SELECT ${STATUS} FROM called)`;

/** Whether a run that is {@link CALLING} has called one of which something holds. */
export function anyCalled(what: string): Condition {
  return condition(`EXISTS (${CALLED} SELECT FROM called WHERE ${LIVES} AND ${what})`);
}

/** Not the wait for a called run that itself waits: what that one waits for is listed in its place. */
const LISTED = `(wait ->> 'childRunId' IS NULL OR (wait ->> 'childRunId')::uuid NOT IN (SELECT run_id FROM called WHERE ${LIVES} AND waiting_for <> '[]'))`;

const WAITS = `
  SELECT jsonb_agg(wait ORDER BY (wait ->> 'since')::float8, path, n) FROM (
    SELECT wait, ARRAY[]::bigint[] AS path, n FROM jsonb_array_elements(runs.waiting_for) WITH ORDINALITY AS own(wait, n) WHERE ${LISTED}
    UNION ALL
    (SELECT wait, path, n FROM called, jsonb_array_elements(called.waiting_for) WITH ORDINALITY AS others(wait, n)
     WHERE ${LIVES} AND ${LISTED} ORDER BY (wait ->> 'since')::float8, path, n LIMIT ${MAX_WAITS})
  ) AS waits`;

/** Whether a run that is {@link CALLING} shows a wait of a kind. @param kind as the JSON of a containment test has it */
export const showsWaitFor = (kind: string): string =>
  `(${CALLED} SELECT COALESCE((${WAITS}) @> '[{"kind": "${kind}"}]', false))`;

/**
 * What a run shows that is {@link CALLING}, under the names that its record has; `null` for other runs. A `CASE`, so that
 * for those nothing is looked up: as a lateral join it began a recursion for each row of a page.
 */
export const SHOWN = `CASE WHEN runs.filed_under = '${CALLING}' THEN (
    ${CALLED}
    SELECT jsonb_build_object(
      'status', status, 'waitingFor', (${WAITS}),
      'pendingApprovals', runs.pending_approvals + approvals, 'pendingQuestions', runs.pending_questions + questions,
      'error', COALESCE(runs.error, CASE status WHEN 'failed' THEN first_error END)
    )
    FROM (
      SELECT ${STATUS} AS status,
        COALESCE(sum(called.pending_approvals) FILTER (WHERE ${LIVES}), 0) AS approvals,
        COALESCE(sum(called.pending_questions) FILTER (WHERE ${LIVES}), 0) AS questions,
        (array_agg(called.error ORDER BY called.path) FILTER (WHERE ${LIVES} AND called.error IS NOT NULL))[1] AS first_error
      FROM called HAVING count(*) > 0
    ) AS sums
  ) END AS with_called`;
