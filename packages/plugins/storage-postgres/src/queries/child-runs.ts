import { condition, type Condition } from './condition.js';

/**
 * Status of runs that wait for child runs: a call activity has the status of its child run, whose waits are also shown
 * in the parent run. The status is computed on read, in one snapshot with the rest of the response. A child run
 * continues without writing to its parent run, so there is no contention for parent runs. Displayed values and filters
 * use the same expressions.
 *
 * All SQL here reads a row named `runs`, which may be the row of a subquery.
 */

/** Value of the column `filed_under` of a run that waits for a child run. */
export const CALLING = 'calling';

/** Maximum number of child runs that are read for one run. If there are more, the run counts as active. */
const MAX_CHILD_RUNS = 10_000;

/** Maximum number of waits of child runs that one run shows; the oldest come first. */
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

/**
 * Returns SQL that follows the waits of a row to its child runs. A child run that has not started yet is a row of
 * nulls.
 */
const followCalls = (caller: string, path: string): string => `
  SELECT ${COLUMNS.map((column) => `c.${column}`).join(', ')}, ${path} AS path
  FROM ${caller === 'runs' ? '' : `${caller}, `}jsonb_array_elements(${caller}.waiting_for) WITH ORDINALITY AS w(wait, n)
  LEFT JOIN runs AS c ON c.run_id = (w.wait ->> 'childRunId')::uuid
  WHERE ${caller}.filed_under = '${CALLING}' AND w.wait ->> 'childRunId' IS NOT NULL`;

/**
 * Common table expressions of all direct and indirect child runs. `path` sorts them in the order of their calls, each
 * after its parent.
 */
const CHILD_RUNS = `
  WITH RECURSIVE followed AS (${followCalls('runs', 'ARRAY[w.n]')} UNION ALL ${followCalls('followed', 'followed.path || w.n')}),
  called AS (SELECT * FROM followed LIMIT ${MAX_CHILD_RUNS + 1})`;

/**
 * Condition for a child run that has started and has not ended, whatever its status. Any other child run has not
 * started yet, or has ended and its parent is about to continue.
 */
const IS_IN_PROGRESS = 'run_id IS NOT NULL AND outcome IS NULL';

const hasOwnWait = (row: string): string =>
  `EXISTS (SELECT FROM jsonb_array_elements(${row}.waiting_for) AS own WHERE own ->> 'childRunId' IS NULL)`;

/**
 * Status of a run with child runs: the first of active, blocked and failed that applies to a child run, or to the run
 * itself without its call activities.
 */
const STATUS = `
  CASE WHEN runs.status = 'active' OR count(*) > ${MAX_CHILD_RUNS} OR NOT bool_and(${IS_IN_PROGRESS} AND called.status <> 'active') THEN 'active'
       WHEN ${hasOwnWait('runs')} OR bool_or(CASE called.filed_under WHEN '${CALLING}' THEN ${hasOwnWait('called')} ELSE called.status = 'blocked' END) THEN 'blocked'
       ELSE 'failed' END`;

/** Status of a run that is {@link CALLING}. */
export const CALLING_RUN_STATUS = `(${CHILD_RUNS} SELECT ${STATUS} FROM called)`;

/** Returns the condition that a run that is {@link CALLING} has a child run in progress that meets `predicate`. */
export function hasMatchingChildRun(predicate: string): Condition {
  return condition(`EXISTS (${CHILD_RUNS} SELECT FROM called WHERE ${IS_IN_PROGRESS} AND ${predicate})`);
}

/**
 * Condition that excludes the wait for a child run that itself waits, because the waits of the child run are listed
 * instead.
 */
const IS_LISTED_WAIT = `(wait ->> 'childRunId' IS NULL OR (wait ->> 'childRunId')::uuid NOT IN (SELECT run_id FROM called WHERE ${IS_IN_PROGRESS} AND waiting_for <> '[]'))`;

const ALL_WAITS = `
  SELECT jsonb_agg(wait ORDER BY (wait ->> 'since')::float8, path, n) FROM (
    SELECT wait, ARRAY[]::bigint[] AS path, n FROM jsonb_array_elements(runs.waiting_for) WITH ORDINALITY AS own(wait, n) WHERE ${IS_LISTED_WAIT}
    UNION ALL
    (SELECT wait, path, n FROM called, jsonb_array_elements(called.waiting_for) WITH ORDINALITY AS others(wait, n)
     WHERE ${IS_IN_PROGRESS} AND ${IS_LISTED_WAIT} ORDER BY (wait ->> 'since')::float8, path, n LIMIT ${MAX_WAITS})
  ) AS waits`;

/**
 * Returns the SQL condition that a run that is {@link CALLING} shows a wait of this kind.
 *
 * @param kind kind of the wait, which is inserted into a JSON string without escaping
 */
export const hasWaitOfKind = (kind: string): string =>
  `(${CHILD_RUNS} SELECT COALESCE((${ALL_WAITS}) @> '[{"kind": "${kind}"}]', false))`;

/**
 * Displayed values of a run that is {@link CALLING}, under the field names of its record; `null` for other runs. A
 * `CASE`, so that nothing is looked up for other runs: a lateral join would start a recursion for each row of a page.
 */
export const WITH_CHILD_RUNS = `CASE WHEN runs.filed_under = '${CALLING}' THEN (
    ${CHILD_RUNS}
    SELECT jsonb_build_object(
      'status', status, 'waitingFor', (${ALL_WAITS}),
      'pendingApprovals', runs.pending_approvals + approvals, 'pendingQuestions', runs.pending_questions + questions,
      'error', COALESCE(runs.error, CASE status WHEN 'failed' THEN first_error END)
    )
    FROM (
      SELECT ${STATUS} AS status,
        COALESCE(sum(called.pending_approvals) FILTER (WHERE ${IS_IN_PROGRESS}), 0) AS approvals,
        COALESCE(sum(called.pending_questions) FILTER (WHERE ${IS_IN_PROGRESS}), 0) AS questions,
        (array_agg(called.error ORDER BY called.path) FILTER (WHERE ${IS_IN_PROGRESS} AND called.error IS NOT NULL))[1] AS first_error
      FROM called HAVING count(*) > 0
    ) AS sums
  ) END AS with_called`;
