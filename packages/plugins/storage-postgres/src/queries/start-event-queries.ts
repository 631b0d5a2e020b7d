import type {
  NextStartTime,
  StartConditionRecord,
  StartSubscription,
  StartSubscriptionRecord,
  StartTimer,
  StartTimerRecord,
} from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import { isStorableText } from './storable.js';

/** Returns the start events that a message or signal triggers, in the newest version of each workflow. */
export async function findStartSubscriptions(
  database: Queryable,
  kind: StartSubscription['kind'],
  name: string,
): Promise<StartSubscriptionRecord[]> {
  if (!isStorableText(name)) return [];
  const { rows } = await database.query({
    name: 'find_start_subscriptions',
    text: 'SELECT workflow_id, version, element_id, trigger FROM start_subscriptions WHERE kind = $1 AND name = $2 ORDER BY workflow_id',
    values: [kind, name],
  });
  return rows.map((row) => ({
    kind,
    name,
    workflowId: String(row['workflow_id']),
    version: Number(row['version']),
    elementId: String(row['element_id']),
    trigger: Number(row['trigger']),
  }));
}

/** Returns the conditional start events in the newest version of each workflow, or of one workflow. */
export async function findStartConditions(
  database: Queryable,
  limit: number,
  workflowId?: string,
): Promise<StartConditionRecord[]> {
  if (workflowId !== undefined && !isStorableText(workflowId)) return [];
  const { rows } = await database.query({
    name: workflowId === undefined ? 'find_start_conditions' : 'find_start_conditions_of',
    text: `SELECT workflow_id, version, element_id, trigger FROM start_subscriptions
           WHERE kind = 'condition' ${workflowId === undefined ? '' : 'AND workflow_id = $2'}
           ORDER BY workflow_id, length(name), name LIMIT $1`,
    values: workflowId === undefined ? [limit] : [limit, workflowId],
  });
  return rows.map((row) => ({
    workflowId: String(row['workflow_id']),
    version: Number(row['version']),
    elementId: String(row['element_id']),
    trigger: Number(row['trigger']),
  }));
}

/** Returns due start timers, earliest first. */
export async function listDueStartTimers(database: Queryable, now: number, limit: number): Promise<StartTimerRecord[]> {
  const { rows } = await database.query({
    name: 'due_start_timers',
    text: `SELECT workflow_id, version, element_id, trigger, due_at, cycle, due_at = ANY(fired_at) AS fired FROM start_timers WHERE due_at <= $1
           ORDER BY due_at, workflow_id LIMIT $2`,
    values: [isoTime(now), limit],
  });
  return rows.map((row) => ({
    workflowId: String(row['workflow_id']),
    version: Number(row['version']),
    elementId: String(row['element_id']),
    trigger: Number(row['trigger']),
    dueAt: Number(row['due_at']),
    cycle: row['cycle'] as StartTimer['cycle'],
    fired: row['fired'] === true,
  }));
}

export async function nextStartTimerAt(database: Queryable, after?: number): Promise<number | null> {
  const { rows } = await database.query({
    name: 'next_start_timer',
    text: `SELECT due_at FROM start_timers WHERE due_at > $1 ORDER BY due_at, workflow_id LIMIT 1`,
    values: [after === undefined ? '-infinity' : isoTime(after)],
  });
  const dueAt = rows[0]?.['due_at'];
  return dueAt === undefined ? null : Number(dueAt);
}

/** Advances or ends a start timer, unless another server has done so or a newer version has replaced it. */
export async function advanceStartTimer(
  database: Queryable,
  timer: StartTimerRecord,
  next: NextStartTime | null,
): Promise<void> {
  await database.query({
    name: 'advance_start_timer',
    text: `UPDATE start_timers SET due_at = $6, cycle = $7::jsonb
           WHERE workflow_id = $1 AND element_id = $2 AND trigger = $3 AND version = $4 AND due_at = $5`,
    values: [
      timer.workflowId,
      timer.elementId,
      timer.trigger,
      timer.version,
      isoTime(timer.dueAt),
      next === null ? null : isoTime(next.dueAt),
      next === null || next.cycle === null ? null : JSON.stringify(next.cycle),
    ],
  });
}
