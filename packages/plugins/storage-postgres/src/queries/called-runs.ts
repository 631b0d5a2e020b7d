import { condition, type Condition } from './condition.js';

/**
 * Status of runs that wait for child runs: "a call activity counts as its child run, whose waits show in the parent
 * too" (interface decisions, "Run"). It is computed on read, in one snapshot with the rest of the response. A child
 * run continues without writing to its parent, so there is no contention for parents. Displayed values and filters use
 * the same expressions.
 *
 * All SQL here reads a row named `runs`, which may be the row of a subquery.
 */

/** Value of the column `filed_under`. */
export const CALLING = 'calling';

/** Maximum number of child runs that are read for one run. If there are more, the run counts as active. */
const MAX_CALLED = 10_000;

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
const follow = (caller: string, path: string): string => `
  SELECT ${COLUMNS.map((column) => `c.${column}`).join(', ')}, ${path} AS path
  FROM ${caller === 'runs' ? '' : `${caller}, `}jsonb_array_elements(${caller}.waiting_for) WITH ORDINALITY AS w(wait, n)
  LEFT JOIN runs AS c ON c.run_id = (w.wait ->> 'childRunId')::uuid
  WHERE ${caller}.filed_under = '${CALLING}' AND w.wait ->> 'childRunId' IS NOT NULL`;

/** `path` sorts child runs in the order of their calls, each after its parent. */
const CALLED = `
  WITH RECURSIVE followed AS (${follow('runs', 'ARRAY[w.n]')} UNION ALL ${follow('followed', 'followed.path || w.n')}),
  called AS (SELECT * FROM followed LIMIT ${MAX_CALLED + 1})`;

/**
 * Active child runs. Otherwise a child run has not started yet, or its parent has not received its end yet: the parent
 * is about to continue.
 */
const LIVES = 'run_id IS NOT NULL AND outcome IS NULL';

const waitsItself = (row: string): string =>
  `EXISTS (SELECT FROM jsonb_array_elements(${row}.waiting_for) AS own WHERE own ->> 'childRunId' IS NULL)`;

/** The first of active, blocked and failed that applies to the run without its call activities, or to a child run. */
const STATUS = `
  CASE WHEN runs.status = 'active' OR count(*) > ${MAX_CALLED} OR NOT bool_and(${LIVES} AND called.status <> 'active') THEN 'active'
       WHEN ${waitsItself('runs')} OR bool_or(CASE called.filed_under WHEN '${CALLING}' THEN ${waitsItself('called')} ELSE called.status = 'blocked' END) THEN 'blocked'
       ELSE 'failed' END`;

/** Status of a run that is {@link CALLING}. */
export const STATUS_OF_CALLING = `(${CALLED} SELECT ${STATUS} FROM called)`;

/** Returns a condition: a run that is {@link CALLING} has an active child run that meets a condition. */
export function anyCalled(what: string): Condition {
  return condition(`EXISTS (${CALLED} SELECT FROM called WHERE ${LIVES} AND ${what})`);
}

/** Leaves out the wait for a child run that itself waits, because the waits of the child run are listed instead. */
const LISTED = `(wait ->> 'childRunId' IS NULL OR (wait ->> 'childRunId')::uuid NOT IN (SELECT run_id FROM called WHERE ${LIVES} AND waiting_for <> '[]'))`;

const WAITS = `
  SELECT jsonb_agg(wait ORDER BY (wait ->> 'since')::float8, path, n) FROM (
    SELECT wait, ARRAY[]::bigint[] AS path, n FROM jsonb_array_elements(runs.waiting_for) WITH ORDINALITY AS own(wait, n) WHERE ${LISTED}
    UNION ALL
    (SELECT wait, path, n FROM called, jsonb_array_elements(called.waiting_for) WITH ORDINALITY AS others(wait, n)
     WHERE ${LIVES} AND ${LISTED} ORDER BY (wait ->> 'since')::float8, path, n LIMIT ${MAX_WAITS})
  ) AS waits`;

/**
 * Returns an SQL condition: a run that is {@link CALLING} shows a wait of a kind.
 *
 * @param kind as in the JSON of a containment test
 */
export const showsWaitFor = (kind: string): string =>
  `(${CALLED} SELECT COALESCE((${WAITS}) @> '[{"kind": "${kind}"}]', false))`;

/**
 * Displayed values of a run that is {@link CALLING}, under the names of its record; `null` for other runs. A `CASE`,
 * so that nothing is looked up for other runs: a lateral join would start a recursion for each row of a page.
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
