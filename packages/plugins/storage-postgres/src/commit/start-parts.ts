import { isoTime } from '@countersign/model';
import type { CommitPart } from './commit-part.js';

/**
 * Starts of runs by call activities (up to the limit of child runs), signals and timers. A signal starts at most one
 * run per workflow, and each due date of a timer at most one run; the transaction of the new run records this.
 */
export const START_PARTS: readonly CommitPart[] = [
  {
    name: 'called_runs',
    columns: { run_id: 'uuid', root_run_id: 'uuid', at_most: 'int' },
    sql: 'SELECT run_id FROM input',
    // Counts at most as many rows as the limit allows, once per root run.
    rejectedSql: `SELECT n.run_id
             FROM (SELECT run_id, root_run_id, at_most, row_number() OVER (PARTITION BY root_run_id ORDER BY run_id) AS nth FROM input) n
             JOIN (
               SELECT root_run_id, (
                 SELECT count(*) FROM (SELECT FROM runs r WHERE r.root_run_id = d.root_run_id AND r.outcome IS NULL LIMIT d.at_most) alive
               ) AS alive
               FROM (SELECT root_run_id, max(at_most) AS at_most FROM input GROUP BY root_run_id) d
             ) a USING (root_run_id)
             WHERE a.alive + n.nth > n.at_most`,
    rejectedResult: 'crowded',
    rows: ({ run, callLimit }) =>
      callLimit === null ? [] : [{ run_id: run.runId, root_run_id: callLimit.rootRunId, at_most: callLimit.maxRuns }],
  },
  {
    name: 'started_by_signals',
    columns: { run_id: 'uuid', message_id: 'uuid', workflow_id: 'text' },
    // Aggregated, because a statement may update a row only once, even if a signal starts runs of several workflows.
    sql: `UPDATE outbox o SET started = o.started || n.workflow_ids
          FROM (SELECT message_id, array_agg(workflow_id) AS workflow_ids FROM input GROUP BY message_id) n
          WHERE o.message_id = n.message_id AND o.message_id = ANY(ARRAY(SELECT message_id FROM input))`,
    rejectedSql: `SELECT n.run_id FROM input n WHERE (n.message_id, n.workflow_id) NOT IN (
               SELECT i.message_id, i.workflow_id FROM input i JOIN outbox o USING (message_id)
               WHERE o.message_id = ANY(ARRAY(SELECT message_id FROM input)) AND i.workflow_id <> ALL(o.started)
               ORDER BY i.message_id FOR UPDATE OF o
             ) OR EXISTS (
               SELECT FROM input e WHERE e.message_id = n.message_id AND e.workflow_id = n.workflow_id AND e.run_id < n.run_id
             )`,
    rows: ({ run, cause }) =>
      cause?.from === 'signal' ? [{ run_id: run.runId, message_id: cause.messageId, workflow_id: run.workflowId }] : [],
  },
  {
    name: 'fired_start_timers',
    columns: {
      run_id: 'uuid',
      workflow_id: 'text',
      element_id: 'text',
      trigger: 'int',
      version: 'int',
      due_at: 'timestamptz',
      next_at: 'timestamptz',
      next_cycle: 'jsonb',
    },
    sql: `UPDATE start_timers t SET due_at = n.next_at, cycle = n.next_cycle,
            fired_at = CASE WHEN t.cycle IS NULL THEN t.fired_at || n.due_at ELSE t.fired_at END
          FROM input n
          WHERE t.workflow_id = n.workflow_id AND t.element_id = n.element_id AND t.trigger = n.trigger
            AND t.version = n.version AND t.due_at = n.due_at`,
    rejectedSql: `SELECT n.run_id FROM input n WHERE (n.workflow_id, n.element_id, n.trigger) NOT IN (
               SELECT i.workflow_id, i.element_id, i.trigger
               FROM input i JOIN start_timers t USING (workflow_id, element_id, trigger, version, due_at)
               ORDER BY i.workflow_id, i.element_id, i.trigger FOR UPDATE OF t
             ) OR EXISTS (
               SELECT FROM input e
               WHERE e.workflow_id = n.workflow_id AND e.element_id = n.element_id AND e.trigger = n.trigger AND e.run_id < n.run_id
             )`,
    rows({ run, cause }) {
      if (cause?.from !== 'startTimer') return [];
      const { timer, next } = cause;
      const { workflowId, elementId, trigger, version, dueAt } = timer;
      return [
        {
          run_id: run.runId,
          workflow_id: workflowId,
          element_id: elementId,
          trigger,
          version,
          due_at: isoTime(dueAt),
          next_at: next === null ? null : isoTime(next.dueAt),
          next_cycle: next?.cycle,
        },
      ];
    },
  },
];
