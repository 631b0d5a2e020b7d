import { isoTime, type StartSubscription, type StartSubscriptionRecord, type StartTimer, type StartTimerRecord } from '@countersign/core/plugin';
import type { Queryable } from '../database/transaction.js';
import { isStorableText } from './storable.js';

/** Start events of newest versions that a message or a signal triggers. */
export async function findStartSubscriptions(database: Queryable, kind: StartSubscription['kind'], name: string): Promise<StartSubscriptionRecord[]> {
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

/** Start timers that are due, earliest first. */
export async function dueStartTimers(database: Queryable, now: number, limit: number): Promise<StartTimerRecord[]> {
  const { rows } = await database.query({
    name: 'due_start_timers',
    text: `SELECT workflow_id, version, element_id, trigger, due_at, cycle FROM start_timers WHERE due_at <= $1
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
  }));
}

export async function nextStartTimerAt(database: Queryable): Promise<number | null> {
  const { rows } = await database.query({
    name: 'next_start_timer',
    text: 'SELECT due_at FROM start_timers ORDER BY due_at, workflow_id LIMIT 1',
    values: [],
  });
  const dueAt = rows[0]?.['due_at'];
  return dueAt === undefined ? null : Number(dueAt);
}

/** Moves a start timer on, or takes it away, unless somebody else has (or a newer version has replaced it). */
export async function advanceStartTimer(database: Queryable, fired: StartTimerRecord, next: Pick<StartTimer, 'dueAt' | 'cycle'> | null): Promise<void> {
  const which = 'workflow_id = $1 AND element_id = $2 AND trigger = $3 AND version = $4 AND due_at = $5';
  const values = [fired.workflowId, fired.elementId, fired.trigger, fired.version, isoTime(fired.dueAt)];
  if (next === null) await database.query({ name: 'end_start_timer', text: `DELETE FROM start_timers WHERE ${which}`, values });
  else {
    await database.query({
      name: 'advance_start_timer',
      text: `UPDATE start_timers SET due_at = $6, cycle = $7::jsonb WHERE ${which}`,
      values: [...values, isoTime(next.dueAt), next.cycle === null ? null : JSON.stringify(next.cycle)],
    });
  }
}
